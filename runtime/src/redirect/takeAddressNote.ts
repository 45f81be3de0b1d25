/**
 * Takes the note of a redirect out of the page's address, before anybody can see it there: neither analytics nor a bookmark shall.
 * redirectNote.ts explains its form.
 */

import { attempt } from "../attempt";
import { queryParameter } from "../conditions/queryParameter";
import { decodePercent } from "../visitor/decodePercent";
import { REDIRECT_NOTE } from "./redirectNote";

/** Empty for none. */
export const takeAddressNote = (): string => {
  const value = queryParameter(REDIRECT_NOTE);
  if (value === undefined) {
    return "";
  }
  const address = location.href.replace(/([?&])experimentation_redirect=[^&#]*&?/, "$1").replace(/[?&](#|$)/, "$1");
  attempt(() => history.replaceState(history.state, "", address));
  return decodePercent(value);
};
