/** Tells each tool that the project names. One that fails must not keep it from the others. */

import { guarded } from "../guarded";
import type { DecisionReport } from "./DecisionReport";
import { sendToAmplitude } from "./sendToAmplitude";
import { sendToGtag } from "./sendToGtag";
import { sendToGtm } from "./sendToGtm";
import { sendToMatomo } from "./sendToMatomo";
import { sendToPlausible } from "./sendToPlausible";
import { sendToSegment } from "./sendToSegment";

export const sendReport = (report: DecisionReport): void => {
  if (__INTEGRATION_GA4_GTAG__) {
    guarded(() => sendToGtag(report));
  }
  if (__INTEGRATION_GA4_GTM__) {
    guarded(() => sendToGtm(report));
  }
  if (__INTEGRATION_SEGMENT__) {
    guarded(() => sendToSegment(report));
  }
  if (__INTEGRATION_AMPLITUDE__) {
    guarded(() => sendToAmplitude(report));
  }
  if (__INTEGRATION_MATOMO__) {
    guarded(() => sendToMatomo(report));
  }
  if (__INTEGRATION_PLAUSIBLE__) {
    guarded(() => sendToPlausible(report));
  }
};
