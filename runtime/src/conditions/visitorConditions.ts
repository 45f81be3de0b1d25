/** Single conditions of audiences. */

import { queryParameter } from "../browser/address";
import { Date } from "../browser/builtins";
import { platformOf } from "../browser/userAgent";
import { pageView } from "../pageView/pageView";
import type { Condition } from "../project/config";
import { attributeValue } from "../visitor/attributes";
import { cookieValue } from "../visitor/cookies";
import { firstSeen } from "../visitor/firstSeen";
import { recall } from "../visitor/memory";
import { matchBehavior, matchLanguage, matchLocation, matchTimeAndDay, matchVersion } from "./matchers";
import { matchUrl, matchValue } from "./text";

/**
 * Whether one condition of an audience holds for the visitor; `undefined` where it cannot be said, because its datum is missing or this
 * runtime does not answer conditions of its type. Audiences inside audiences are in `isInAudience`.
 */
export const holdsForVisitor = (condition: Condition): boolean | undefined => {
  const { type, name = "", value } = condition;
  if (__CONDITION_QUERY__ && type === "query") {
    return matchValue(queryParameter(name), condition);
  }
  if (__CONDITION_COOKIES__ && type === "cookies") {
    return matchValue(cookieValue(name), condition);
  }
  if (__CONDITION_CUSTOM_ATTRIBUTE__ && type === "custom_attribute") {
    return matchValue(attributeValue(name), condition);
  }
  if (__CONDITION_CAMPAIGN__ && type === "campaign") {
    const campaign = firstSeen("utm");
    // A visitor whom no campaign brought is neither in one nor outside of it.
    return campaign === undefined ? undefined : matchValue(campaign, condition);
  }
  if (__CONDITION_REFERRER__ && type === "referrer") {
    const referrer = firstSeen("ref");
    return !!referrer && matchUrl(referrer, condition);
  }
  if (__CONDITION_SOURCE_TYPE__ && type === "source_type") {
    return matchValue(firstSeen("src"), condition);
  }
  if (__CONDITION_DEVICE__ && type === "device") {
    return value === firstSeen("dev");
  }
  if (__CONDITION_DEVICE_TYPE__ && type === "device_type") {
    return value === firstSeen("kind");
  }
  if (__CONDITION_BROWSER_VERSION__ && type === "browser_version") {
    return matchVersion(firstSeen("ver") || "", value);
  }
  if (__CONDITION_PLATFORM__ && type === "platform") {
    return matchVersion(platformOf(navigator.userAgent, navigator.maxTouchPoints), value);
  }
  if (__CONDITION_LANGUAGE__ && type === "language") {
    return matchLanguage(navigator.language, String(value));
  }
  if (__CONDITION_TIME_AND_DAY__ && type === "time_and_day") {
    return matchTimeAndDay(new Date(), String(value));
  }
  if (__CONDITION_FIRST_SESSION__ && type === "first_session") {
    // Of whom nothing may be kept, nothing proves an earlier visit.
    return recall("ses")[0] !== "0";
  }
  if (__CONDITION_LOCATION__ && type === "location") {
    return pageView.location ? matchLocation(pageView.location, String(value)) : undefined;
  }
  if (__CONDITION_BEHAVIOR__ && type === "behavior") {
    return matchBehavior(name, value as number[]);
  }
  return __CUSTOM_CODE__ && condition.code ? !!condition.code() : undefined;
};
