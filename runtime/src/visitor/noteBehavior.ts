/**
 * Takes down that the visitor did something, `e<event name>` or `p<page id>`, if a condition asks for it; nothing else is kept. The text is
 * `day.times.day.times…`, bounded in days and in age.
 */

import { behaviors } from "../config";
import { behaviorDays } from "./behaviorDays";
import { memorize } from "./memorize";
import { today } from "./today";

/** What a condition may look back at: a year. */
const AGE_DAYS_MAX = 365;
/** One on which nothing was done takes no room. A kilobyte holds as many. */
const DAYS_MAX = 100;

export const noteBehavior = (name: string): void => {
  if (behaviors.includes(name)) {
    const days = behaviorDays(name).filter(({ day }) => today() - day < AGE_DAYS_MAX);
    const last = days[days.length - 1];
    if (last?.day === today()) {
      last.times++;
    } else {
      days.push({ day: today(), times: 1 });
    }
    const kept = days.slice(-DAYS_MAX).map(({ day, times }) => day + "." + times);
    memorize("b" + encodeURIComponent(name), kept.join("."));
  }
};
