/**
 * Takes away what a change added beside an element that is no longer in the page: it would be there twice once the page has built the
 * element anew.
 */

import { Map } from "../builtins/Map";
import { genuine } from "../genuine";
import type { ChangeRecord } from "./ChangeRecord";
import { removeNodes } from "./removeNodes";

export const removeOrphans = ({ added = new Map() }: ChangeRecord): void => {
  added.forEach((nodes, element) => {
    if (!genuine(element, "isConnected")) {
      removeNodes(nodes);
      added.delete(element);
    }
  });
};
