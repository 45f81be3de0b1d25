/**
 * `get("visitor")`: who the visitor is, and what the project's audiences ask of them, with the answers that audiences get: what was first
 * seen stands. What no audience asks for is not there, and a project that leaves its data out has the id alone.
 */

import { isAliased } from "../api/isAliased";
import { Date } from "../builtins/Date";
import { Object } from "../builtins/Object";
import type { Visitor } from "../../types/index";
import { attempt } from "../attempt";
import { pageView } from "../pageView";
import { originalReferrer } from "../redirect/originalReferrer";
import { askedCookies } from "./askedCookies";
import { customAttributes } from "./customAttributes";
import { firstSeen } from "./firstSeen";
import { LOCATION_FIELDS } from "./locationFields";
import { visitor } from "./visitor";

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
