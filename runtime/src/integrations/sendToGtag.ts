/** Google Analytics 4 by its own tag. */

import { gtagTarget } from "../config";
import { callGtag } from "./callGtag";
import type { DecisionReport } from "./DecisionReport";
import { experienceOf } from "./experienceOf";
import { EXPERIENCE_EVENT } from "./experienceEvent";

export const sendToGtag = (report: DecisionReport): void =>
  callGtag("event", EXPERIENCE_EVENT, { ...experienceOf(report), ...(gtagTarget && { send_to: gtagTarget }) });
