/**
 * Takes in where the visitor is, as the page tells it, for this page view. It is not stored: people move, and a site that knows it only
 * later can say it before the snippet.
 */

import { activatePages } from "../activation/activatePages";
import { activePages } from "../activation/activePages";
import { forgetAnswers } from "../conditions/forgetAnswers";
import { pageView } from "../pageView";
import { LOCATION_FIELDS } from "./locationFields";

export const setLocation = (fields: Readonly<Record<string, unknown>>): void => {
  pageView.location = LOCATION_FIELDS.map((name) => {
    const text = String(fields[name] ?? "");
    // Conditions write cities this way.
    return name === "city" ? text.replace(/\s/g, "").toUpperCase() : text;
  });
  forgetAnswers();
  // What waited for it is decided now, and shown. Before any page is active, nothing has waited yet.
  if (activePages.length > 0) {
    activatePages([]);
  }
};
