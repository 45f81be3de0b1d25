/** Whether the visitor did something often enough, and recently enough. visitor/noteBehavior.ts keeps what they did. */

import { behaviorDays } from "../visitor/behaviorDays";
import { today } from "../visitor/today";

/** `[at least, within days, at most]`, the last only where there is a limit; today is one of the days. */
export const matchBehavior = (name: string, [least, days, most]: readonly number[]): boolean => {
  let count = 0;
  behaviorDays(name).forEach(({ day, times }) => {
    count += today() - day < days ? times : 0;
  });
  return least <= count && !(count > most);
};
