/** Takes away all that is kept of the visitor on this origin beside the cookie. */

import { attempt } from "../attempt";
import { storageKey } from "./storageKey";

export const forgetVisitor = (): void => {
  attempt(() => localStorage.removeItem(storageKey));
  if (__FORCE__ && __CAMPAIGNS__) {
    attempt(() => tabNotes().forEach((name) => sessionStorage.removeItem(name)));
  }
};

const tabNotes = (): readonly string[] => Object.keys(sessionStorage).filter((name) => name.startsWith(storageKey + ":"));
