/** Compares the visitor's data with the values of conditions that have a format of their own. */

import { behaviorDays, today } from "../visitor/behavior";

/**
 * Whether the visitor did something often enough, and recently enough. `countBehaviorEvent` keeps what they did. `[at least, within days, at
 * most]`, the last only where there is a limit; today is one of the days.
 */
export const matchBehavior = (name: string, [least, days, most]: readonly number[]): boolean => {
  let count = 0;
  behaviorDays(name).forEach(({ day_: day, times_: times }) => {
    count += today() - day < days ? times : 0;
  });
  return least <= count && !(count > most);
};

/** Whether the browser's language is `value` (`en-us`), or one of its regions when `value` names none (`en`). */
export const matchLanguage = (language: string, value: string): boolean =>
  (language.toLowerCase() + "-").startsWith(value.toLowerCase() + "-");

/**
 * Whether a location, `[country, region, city, continent, dma]`, is the one of a condition: `US`, `US|CA`, `US|CA|SANFRANCISCO` or
 * `US||SANFRANCISCO`. With four parts only the continent counts, `|||NA`; with five only the market area, `||||807`.
 */
export const matchLocation = (location: readonly string[], value: string): boolean => {
  const parts = value.split("|").map((part) => part.trim());
  const last = parts.length - 1;
  return last > 2
    ? !!parts[last] && parts[last] === location[last]
    : !!parts[0] && parts.every((part, place) => part === location[place] || (place === 1 && !part));
};

const DAYS = ["sunday", "monday", "tuesday", "wednesday", "thursday", "friday", "saturday"];

/**
 * Whether a local time is within `HH:MM_HH:MM_day,day`, both minutes included. A span does not cross midnight. Any other
 * format is no span, and never holds.
 */
export const matchTimeAndDay = (now: Date, value: string): boolean => {
  const span = /^([01]?\d|2[0-4]):([0-5]?\d)_([01]?\d|2[0-4]):([0-5]?\d)_([a-z,]+)$/.exec(value);
  if (!span) {
    return false;
  }
  const minute = now.getHours() * 60 + now.getMinutes();
  const days = span[5].split(",");
  return (
    Number(span[1]) * 60 + Number(span[2]) <= minute &&
    minute <= Number(span[3]) * 60 + Number(span[4]) &&
    days.includes(DAYS[now.getDay()]) &&
    days.every((day) => DAYS.includes(day))
  );
};

/**
 * Whether `actual`, a browser or a system with its whole version, is the one named by `value`, which tells as many parts of the version
 * as matter, or none: `gc`, `gc120`, `gc120.0`, `mac os_10.15`.
 */
export const matchVersion = (actual: string, value: unknown): boolean =>
  !!value && (value === actual.replace(/_.*|[\d.]+$/, "") || (actual + ".").startsWith(String(value) + "."));
