/** The days on which the visitor did something, oldest first, and how many times on each. */

import { recall } from "./recall";

export const behaviorDays = (name: string): { day: number; times: number }[] => {
  const numbers = recall("b" + encodeURIComponent(name))
    .split(".")
    .map(Number);
  // Nothing at all is one number, and so no pair.
  return numbers.flatMap((day, at) => (at % 2 || !numbers[at + 1] ? [] : { day, times: numbers[at + 1] }));
};
