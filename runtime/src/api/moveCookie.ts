/** Takes in on which domain the page wants the visitor's cookie, and moves one that is there already. */

import { idCookie } from "../visitor/idCookie";
import { memory } from "../visitor/memory";
import { saveVisitor } from "../visitor/saveVisitor";
import { visitor } from "../visitor/visitor";
import { writeIdCookie } from "../visitor/writeIdCookie";

/** A command that waited for us counts from the next time on that the cookie is written: a move on each page view would be slow. */
export const moveCookie = (domain: string): void => {
  const value = idCookie();
  if (visitor.isKept) {
    writeIdCookie("");
  }
  memory.domain = domain;
  if (visitor.isKept) {
    writeIdCookie(value);
    visitor.isChanged = true;
    saveVisitor();
  }
};
