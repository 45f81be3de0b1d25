/** Takes the visitor out of all experiments, for good, or lets them in again as somebody new, from the next page view on at the latest. */

import { isConsentRequired, visitorIdSource } from "../config";
import { createVisitorId } from "../visitor/createVisitorId";
import { forgetVisitor } from "../visitor/forgetVisitor";
import { idCookie } from "../visitor/idCookie";
import { isAnonymous } from "../visitor/isAnonymous";
import { optedOut } from "../visitor/optedOut";
import { writeIdCookie } from "../visitor/writeIdCookie";
import { switchOff } from "./switchOff";

export const optOut = (isOut: boolean): void => {
  if (isOut) {
    writeIdCookie(optedOut);
    forgetVisitor();
    switchOff();
  } else if (idCookie() === optedOut) {
    // Other origins of the site may still keep who they were: with a new id, what these keep is somebody else's.
    writeIdCookie(isConsentRequired || visitorIdSource || isAnonymous() ? "" : createVisitorId());
    forgetVisitor();
  }
};
