/** Google Tag Manager: the container's triggers wait for the event, its variables read the rest. */

import { gtmDataLayer } from "../config";
import { dataLayer } from "./dataLayer";
import type { DecisionReport } from "./DecisionReport";
import { EXPERIENCE_EVENT } from "./experienceEvent";
import { experienceOf } from "./experienceOf";

export const sendToGtm = (report: DecisionReport): void => {
  dataLayer(gtmDataLayer).push({ event: EXPERIENCE_EVENT, ...experienceOf(report) });
};
