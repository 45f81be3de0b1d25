/** Takes the visitor out of all experiments, for good, or lets them in again, from the next page view on at the latest. */

import { forgetVisitor } from "../visitor/forgetVisitor";
import { idCookie } from "../visitor/idCookie";
import { optedOut } from "../visitor/optedOut";
import { writeIdCookie } from "../visitor/writeIdCookie";
import { switchOff } from "./switchOff";

export const optOut = (isOut: boolean): void => {
  if (isOut) {
    forgetVisitor(optedOut);
    switchOff();
  } else if (idCookie() === optedOut) {
    writeIdCookie("");
  }
};
