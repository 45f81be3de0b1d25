/**
 * Tells the site's tools where the visitor of a redirect's landing page came from: to them it is the page that redirected. It must
 * happen before they report the page view, so it is the first that we do.
 */

import { gtmDataLayer } from "../config";
import { guarded } from "../guarded";
import { pageView } from "../pageView";
import { callGtag } from "./callGtag";
import { callMatomo } from "./callMatomo";
import { correctAmplitude } from "./correctAmplitude";
import { correctSegment } from "./correctSegment";
import { dataLayer } from "./dataLayer";
import { mayTell } from "./mayTell";

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
