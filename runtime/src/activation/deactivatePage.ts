/** Deactivates one page. Campaigns that are on no other active page turn inactive, and their changes are no longer kept up. */

import { applyChanges } from "../changes/applyChanges";
import { activePages } from "./activePages";

export const deactivatePage = (place: number): void => {
  activePages[place] = undefined;
  if (__CAMPAIGNS__) {
    applyChanges();
  }
};
