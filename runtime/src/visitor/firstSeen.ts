/** The visitor's data that conditions need and that stays as first seen. */

import { decodePercent, queryParameter } from "../browser/address";
import { browserOf, deviceOf, deviceTypeOf } from "../browser/userAgent";
import { originalReferrer } from "../pageView/pageView";
import { memorize, recall } from "./memory";

/**
 * Records, once per page view, the data that conditions need and that must stay as first seen: a visitor who has changed
 * their browser, or come back another way, stays in the audiences they were in. Only what a condition asks for is kept. The redirect that
 * led here has to be known, since it hides the referrer.
 */
export const noteVisitor = (): void => {
  if (__CONDITION_CAMPAIGN__) {
    rememberFirst("utm", queryParameter("utm_campaign"));
  }
  if (__CONDITION_REFERRER__) {
    rememberFirst("ref", originalReferrer());
  }
  if (__CONDITION_SOURCE_TYPE__) {
    const source = sourceType();
    // A direct visit keeps the earlier source; any other source replaces it.
    if (source !== "direct" || !recall("src")) {
      memorize("src", source);
    }
  }
  if (__CONDITION_DEVICE_TYPE__) {
    rememberFirst("kind", deviceTypeOf(navigator.userAgent, navigator.maxTouchPoints));
  }
  if (__CONDITION_DEVICE__) {
    rememberFirst("dev", deviceOf(navigator.userAgent, navigator.maxTouchPoints));
  }
  if (__CONDITION_BROWSER_VERSION__) {
    rememberFirst("ver", browserOf(navigator.userAgent));
  }
};

/** What `rememberFirst` remembers under a key; `undefined` for nothing. */
export const firstSeen = (key: string): string | undefined => decodePercent(recall(key)) || undefined;

/** Remembers something about the visitor where it is first seen; later page views no longer change it. */
const rememberFirst = (key: string, seen = ""): void => {
  if (!recall(key)) {
    memorize(key, encodeURIComponent(seen), true);
  }
};

/** What kind of source brought the visitor: `campaign`, `search`, `referral` or `direct`. */
const sourceType = (): string => {
  const host = hostOf(originalReferrer());
  if (["utm_source", "gclid", "otm_source"].some((name) => queryParameter(name) !== undefined)) {
    return "campaign";
  }
  if (/(^|\.)(google|bing|yahoo|baidu)\./.test(host)) {
    return "search";
  }
  return host && host !== hostOf(location.href) ? "referral" : "direct";
};

/** Without a leading `www.`; empty for no address of a page. */
const hostOf = (address: string): string => /^https?:\/\/(?:www\.)?([^/?#]+)/.exec(address)?.[1] || "";
