/** Takes nodes out of the page, wherever they are. */

import { genuine } from "../genuine";

export const removeNodes = (nodes: readonly ChildNode[] = []): void => {
  for (const node of nodes) {
    genuine(node, "remove")();
  }
};
