/** How a redirect leaves the page. Tests replace this module: no page leaves there. */

import { genuine } from "../browser/genuine";

const HIDDEN_MS = 1000;

/**
 * Leaves the page without a trace in the visitor's history. What would still be painted of it is hidden meanwhile, for so long at most: a
 * navigation can also be refused, or turn out to be a download.
 */
export const leaveFor = (address: string): void => {
  const { style } = genuine(document, "documentElement");
  style.setProperty("visibility", "hidden", "important");
  setTimeout(() => style.removeProperty("visibility"), HIDDEN_MS);
  location.replace(address);
};
