/** Assay's own results: listens before any code of the page can keep an event from us. */

import { attempt } from "../browser/attempt";
import { sendOnceThere } from "./eventQueue";
import { sendExposures } from "./exposures";
import { tellClick } from "./siteEvents";

if (__RESULTS__) {
  attempt(() => {
    ["pagehide", "visibilitychange", "prerenderingchange"].forEach((type) => addEventListener(type, sendExposures, true));
    addEventListener("DOMContentLoaded", sendOnceThere);
    if (__RESULTS_CLICKS__) {
      addEventListener("click", tellClick, true);
    }
  });
}
