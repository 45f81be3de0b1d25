/** Deactivates one page. Campaigns that are on no other active page turn inactive, and their changes are no longer kept up. */

import { activePages } from "./activePages";
import { applyChanges } from "../changes/applyChanges";

export const deactivatePage = (place: number): void => {
  activePages[place] = undefined;
  if (__CAMPAIGNS__) {
    applyChanges();
  }
};
