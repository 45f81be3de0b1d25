/** `get("visitor")`. */

import type { Visitor } from "../../types/index";
import { attempt } from "../browser/attempt";
import { Date, Object } from "../browser/builtins";
import { originalReferrer, pageView } from "../pageView/pageView";
import { AudienceField, audiences } from "../project/config";
import type { Condition } from "../project/config";
import { isAliased } from "../project/items";
import { customAttributes } from "./attributes";
import { cookieValue } from "./cookies";
import { firstSeen } from "./firstSeen";
import { visitor } from "./visitor";

/**
 * `get("visitor")`: who the visitor is, and what the project's audiences ask of them, with the answers that audiences get: what was first
 * seen stands. What no audience asks for is not there, and a project that leaves its data out has the id alone.
 */
export const describeVisitor = (): Visitor => ({
  visitorId: visitor.id,
  ...(__DATA__ && {
    referrer: originalReferrer(),
    queryParams: [...location.search.matchAll(/[?&]([^&=]+)=?([^&]*)/g)].map(({ 1: name, 2: value }) => [name, value]),
    custom: __CONDITION_CUSTOM_ATTRIBUTE__ ? customAttributes() : {},
    currentTimestamp: Date.now(),
    offset: attempt(() => new Date().getTimezoneOffset()) ?? 0,
    ...(isAliased && { location: Object.fromEntries(LOCATION_FIELDS.map((name, at) => [name, pageView.location ? pageView.location[at] : ""])) }),
    ...(__CONDITION_CAMPAIGN__ && { campaign: firstSeen("utm") ?? null }),
    ...(__CONDITION_COOKIES__ && { cookies: askedCookies() }),
    ...(__CONDITION_DEVICE__ && { device: firstSeen("dev") || "" }),
    ...(__CONDITION_SOURCE_TYPE__ && { source_type: firstSeen("src") || "" }),
  }),
});

/** The cookies that the project's audiences ask for, by name, decoded; those that are not there are left out. */
const askedCookies = (): Record<string, string> => {
  const asked: Record<string, string> = {};
  // Without its lists, a tree is its operators and conditions.
  for (const { type, name = "" } of (audiences.map((audience) => audience[AudienceField.Conditions]) as unknown[]).flat(Infinity) as Condition[]) {
    if (type === "cookies" && cookieValue(name) !== undefined) {
      asked[name] = cookieValue(name) as string;
    }
  }
  return asked;
};

/** The fields of `push({type: "location", …})`. A missing field is unknown, and no condition on it holds. */
export const LOCATION_FIELDS = ["country", "region", "city", "continent", "dma"];
