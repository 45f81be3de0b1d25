/** What the visitor did, day by day, as far as a condition asks for it. */

import { attempt } from "../browser/attempt";
import { Date } from "../browser/builtins";
import { isPrerendered } from "../browser/prerendered";
import { behaviors } from "../project/config";
import { memorize, recall } from "./memory";
import { saveSoon, syncWithOtherTabs } from "./saveVisitor";

/** What a condition may look back at: a year. */
const AGE_DAYS_MAX = 365;
/** One on which nothing was done takes no room. A kilobyte holds as many. */
const DAYS_MAX = 100;

/**
 * Counts a behavior event of the visitor, `e<event name>` or `p<page id>`, if a condition asks for it; nothing else is kept. The text
 * is `day.times.day.times…`, bounded in days and in age.
 */
export const countBehaviorEvent = (name: string): void => {
  if (behaviors.includes(name) && isPrerendered()) {
    // Other pages may have counted by then.
    const count = (): void => {
      syncWithOtherTabs();
      countBehaviorEvent(name);
      saveSoon();
    };
    attempt(() => addEventListener("prerenderingchange", count, true));
  } else if (behaviors.includes(name)) {
    const days = behaviorDays(name).filter(({ day_: day }) => today() - day < AGE_DAYS_MAX);
    const last = days[days.length - 1];
    if (last?.day_ === today()) {
      last.times_++;
    } else {
      days.push({ day_: today(), times_: 1 });
    }
    const kept = days.slice(-DAYS_MAX).map(({ day_: day, times_: times }) => day + "." + times);
    memorize("b" + encodeURIComponent(name), kept.join("."));
  }
};

/** The days on which the visitor did something, oldest first, and how many times on each. */
export const behaviorDays = (name: string): { day_: number; times_: number }[] => {
  const numbers = recall("b" + encodeURIComponent(name))
    .split(".")
    .map(Number);
  // Nothing at all is one number, and so no pair.
  return numbers.flatMap((day, at) => (at % 2 || !numbers[at + 1] ? [] : { day_: day, times_: numbers[at + 1] }));
};

const DAY_MS = 24 * 60 * 60 * 1000;

/** The number of the day, counted from the beginning of 1970, in universal time. */
export const today = (): number => (Date.now() / DAY_MS) | 0;
