/**
 * Takes down, once a page view, what conditions ask about the visitor and what is to stay as it was first seen: a visitor who has changed
 * their browser, or come back another way, stays in the audiences they were in. Only what a condition asks for is kept.
 */

import { browserOf } from "../conditions/browserOf";
import { deviceOf } from "../conditions/deviceOf";
import { deviceTypeOf } from "../conditions/deviceTypeOf";
import { queryParameter } from "../conditions/queryParameter";
import { sourceType } from "../conditions/sourceType";
import { originalReferrer } from "../redirect/originalReferrer";
import { keepFirst } from "./keepFirst";
import { memorize } from "./memorize";
import { recall } from "./recall";

/** The redirect that led here has to be known, since it hides the referrer. */
export const noteVisitor = (): void => {
  if (__CONDITION_CAMPAIGN__) {
    keepFirst("utm", queryParameter("utm_campaign"));
  }
  if (__CONDITION_REFERRER__) {
    keepFirst("ref", originalReferrer());
  }
  if (__CONDITION_SOURCE_TYPE__) {
    const source = sourceType();
    // Who comes back directly was still brought by what brought them before; any other source counts from now on.
    if (source !== "direct" || !recall("src")) {
      memorize("src", source);
    }
  }
  if (__CONDITION_DEVICE__) {
    keepFirst("dev", deviceOf(navigator.userAgent, navigator.maxTouchPoints));
  }
  if (__CONDITION_DEVICE_TYPE__) {
    keepFirst("kind", deviceTypeOf(navigator.userAgent, navigator.maxTouchPoints));
  }
  if (__CONDITION_BROWSER_VERSION__) {
    keepFirst("ver", browserOf(navigator.userAgent));
  }
};
