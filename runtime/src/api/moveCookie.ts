/** Takes in on which domain the page wants the visitor's cookie, and moves one that is there already. */

import { catchUp } from "../visitor/catchUp";
import { idCookie } from "../visitor/idCookie";
import { memorize } from "../visitor/memorize";
import { saveVisitor } from "../visitor/saveVisitor";
import { visitor } from "../visitor/visitor";
import { writeIdCookie } from "../visitor/writeIdCookie";

/** A command that waited for us counts from the next time on that the cookie is written: a move on each page view would be slow. */
export const moveCookie = (domain: string): void => {
  if (__CAMPAIGNS__) {
    catchUp();
  }
  const value = idCookie();
  if (visitor.isKept) {
    writeIdCookie("");
  }
  memorize("domain", domain);
  if (visitor.isKept) {
    writeIdCookie(value);
    saveVisitor();
  }
};
