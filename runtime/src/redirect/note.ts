/** The note that a page that redirects leaves for the page it leads to. */

import { decodePercent, queryParameter } from "../browser/address";
import { attempt } from "../browser/attempt";

/**
 * Names the note that a page that redirects leaves for the page it leads to. `followRedirect` writes it, `takeLanding` reads it:
 * - In the address: `experiment:variation:its place:referrer:chain`, the referrer percent-encoded, the chain the ids of all variations
 *   whose redirects led there.
 * - In the tab's session storage: the same after the addresses of the destination and of the page that redirects, with spaces between. It
 *   is the same for all projects of a site, and a cookie of the same name says that some tab may have one: cookies are read anyway.
 */
export const REDIRECT_NOTE = "experimentation_redirect";

/**
 * Takes the note of a redirect out of the page's address, before analytics or a bookmark can see it there.
 * `REDIRECT_NOTE` explains its form. Empty for none.
 */
export const takeAddressNote = (): string => {
  const value = queryParameter(REDIRECT_NOTE);
  if (value === undefined) {
    return "";
  }
  const address = location.href.replace(/([?&])experimentation_redirect=[^&#]*&?/, "$1").replace(/[?&](#|$)/, "$1");
  attempt(() => history.replaceState(history.state, "", address));
  return decodePercent(value);
};
