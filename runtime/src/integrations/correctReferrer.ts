/** The referrer that the site's tools report after a redirect. */

import { guarded } from "../pageView/events";
import { pageView } from "../pageView/pageView";
import { gtmDataLayer } from "../project/config";
import { correctAmplitude } from "./amplitude";
import { callGtag, dataLayer } from "./google";
import { callMatomo } from "./matomo";
import { mayTell } from "./report";
import { correctSegment } from "./segment";

/**
 * Tells the site's tools where the visitor of a redirect's landing page came from: to them it is the page that redirected. It must happen
 * before they report the page view, so it is the first that we do.
 */
export const correctReferrer = (): void => {
  if (!pageView.landing || !mayTell()) {
    return;
  }
  const { referrer } = pageView.landing;
  if (__INTEGRATION_GA4_GTAG__) {
    guarded(() => callGtag("set", "page_referrer", referrer));
  }
  if (__INTEGRATION_GA4_GTM__) {
    guarded(() => dataLayer(gtmDataLayer).push({ page_referrer: referrer }));
  }
  if (__INTEGRATION_SEGMENT__) {
    guarded(() => correctSegment(referrer));
  }
  if (__INTEGRATION_AMPLITUDE__) {
    guarded(() => correctAmplitude(referrer));
  }
  if (__INTEGRATION_MATOMO__) {
    guarded(() => callMatomo("setReferrerUrl", referrer));
  }
};
