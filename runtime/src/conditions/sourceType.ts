/** What kind of source brought the visitor: `campaign`, `search`, `referral` or `direct`. */

import { originalReferrer } from "../redirect/originalReferrer";
import { queryParameter } from "./queryParameter";

export const sourceType = (): string => {
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
