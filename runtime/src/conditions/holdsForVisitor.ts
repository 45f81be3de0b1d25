/**
 * Whether one condition of an audience holds for the visitor; `undefined` where it cannot be said, because its datum is missing or
 * this runtime does not answer conditions of its type. Audiences inside audiences are in isInAudience.ts.
 */

import type { Condition } from "../config";
import { originalReferrer } from "../redirect/originalReferrer";
import { attributeValue } from "../visitor/attributeValue";
import { cookieValue } from "../visitor/cookieValue";
import { deviceOf } from "./deviceOf";
import { matchLanguage } from "./matchLanguage";
import { matchTimeAndDay } from "./matchTimeAndDay";
import { matchUrl } from "./matchUrl";
import { matchValue } from "./matchValue";
import { queryParameter } from "./queryParameter";
import { sourceType } from "./sourceType";

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
    const campaign = queryParameter("utm_campaign");
    // A visitor whom no campaign brought is neither in one nor outside of it.
    return campaign === undefined ? undefined : matchValue(campaign, condition);
  }
  if (__CONDITION_REFERRER__ && type === "referrer") {
    return !!originalReferrer() && matchUrl(originalReferrer(), condition);
  }
  if (__CONDITION_SOURCE_TYPE__ && type === "source_type") {
    return matchValue(sourceType(), condition);
  }
  if (__CONDITION_DEVICE__ && type === "device") {
    return value === deviceOf(navigator.userAgent, navigator.maxTouchPoints);
  }
  if (__CONDITION_LANGUAGE__ && type === "language") {
    return matchLanguage(navigator.language, String(value));
  }
  if (__CONDITION_TIME_AND_DAY__ && type === "time_and_day") {
    return matchTimeAndDay(new Date(), String(value));
  }
  return __CUSTOM_CODE__ && condition.code ? !!condition.code() : undefined;
};
