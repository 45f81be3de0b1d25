/** Takes away what is kept of a visitor who does not consent, but that they opted out, and switches the snippet off. */

import { forgetVisitor } from "../visitor/forgetVisitor";
import { idCookie } from "../visitor/idCookie";
import { optedOut } from "../visitor/optedOut";
import { writeIdCookie } from "../visitor/writeIdCookie";
import { switchOff } from "./switchOff";

export const refuse = (): void => {
  if (idCookie() !== optedOut) {
    writeIdCookie("");
  }
  forgetVisitor();
  switchOff();
};
