/** What commands of the page say about the visitor. */

import { activatePages } from "../activation/pages";
import { noteExposure } from "../pageView/activation";
import { activePages, pageView } from "../pageView/pageView";
import { CampaignField, campaigns, ExperimentField } from "../project/config";
import { placeOfVariation, variationIdAt } from "../project/items";
import { idCookie, writeIdCookie } from "../visitor/cookies";
import { LOCATION_FIELDS } from "../visitor/describeVisitor";
import { forgetPlaces, memorize, rememberVariation, seenVariation, unsaved } from "../visitor/memory";
import { saveSoon, saveVisitor, syncWithOtherTabs } from "../visitor/saveVisitor";
import { visitor } from "../visitor/visitor";

/**
 * Gives the visitor a variation that the site chose itself. It counts from the next time on that its campaign is decided: at once for a
 * command that waited for the snippet, else with the next page view. The variation comes by its id, or by its place in the experiment.
 * What the project does not know changes nothing.
 */
export const bucketVisitor = ({ experimentId, variationId, variationIndex }: Readonly<Record<string, unknown>>): void => {
  for (const campaign of campaigns) {
    for (const experiment of campaign[CampaignField.Experiments]) {
      const place = variationId ? placeOfVariation(experiment, variationId as string) : Number.parseInt(variationIndex as string);
      const id = variationIdAt(experiment, place);
      if (id && experiment[ExperimentField.Id] === Number(experimentId)) {
        // What was given already is replaced. Else nothing is given until the campaign is decided, if it ever is.
        rememberVariation(experiment[ExperimentField.Id], seenVariation(experiment) > 0 ? id : -id, place);
        unsaved[-experiment[ExperimentField.Id]] = true;
        if (__MANY_CAMPAIGNS__) {
          forgetPlaces();
        }
        saveSoon();
      }
    }
  }
};

/**
 * Stores the visitor's location, as the page reports it, for this page view. It is not stored: people move, and a site that knows it only
 * later can say it before the snippet.
 */
export const setLocation = (fields: Readonly<Record<string, unknown>>): void => {
  pageView.location = LOCATION_FIELDS.map((name) => {
    const text = String(fields[name] ?? "");
    // Conditions write cities this way.
    return name === "city" ? text.replace(/\s/g, "").toUpperCase() : text;
  });
  // What waited for it is decided now, and shown. Before any page is active, nothing has waited yet.
  if (activePages.length > 0) {
    noteExposure();
    activatePages([]);
  }
};

/**
 * Takes in on which domain the page wants the visitor's cookie, and moves one that is there already. A command that waited for us counts
 * from the next time on that the cookie is written: a move on each page view would be slow.
 */
export const moveCookie = (domain: string): void => {
  if (__CAMPAIGNS__) {
    syncWithOtherTabs();
  }
  const value = idCookie();
  if (visitor.isKept) {
    writeIdCookie("");
  }
  memorize("domain", domain);
  if (visitor.isKept) {
    writeIdCookie(value);
    saveVisitor();
  }
};
