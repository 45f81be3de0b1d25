/** Forgets what conditions were answered, since what they ask about may have changed: the address, or anything. */

import { pageView } from "../pageView";
import { knownAudiences } from "./knownAudiences";

export const forgetAnswers = (): void => {
  if (__AUDIENCES__) {
    knownAudiences.length = 0;
  }
  pageView.cookies = undefined;
};
