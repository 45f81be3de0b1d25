/** Takes the visitor out of all experiments, for good, or lets them in again, from the next page view on at the latest. */

import { attempt } from "../attempt";
import { idCookie } from "../visitor/idCookie";
import { optedOut } from "../visitor/optedOut";
import { storageKey } from "../visitor/storageKey";
import { writeIdCookie } from "../visitor/writeIdCookie";
import { switchOff } from "./switchOff";

export const optOut = (isOut: boolean): void => {
  if (isOut) {
    writeIdCookie(optedOut);
    attempt(() => localStorage.removeItem(storageKey));
    switchOff();
  } else if (idCookie() === optedOut) {
    writeIdCookie("");
  }
};
