/**
 * Gives the visitor a variation that the site chose itself. It counts from the next time on that its campaign is decided: at once for a
 * command that waited for the snippet, else with the next page view.
 */

import { CampaignField, campaigns, ExperimentField } from "../config";
import { placeOfVariation } from "../decide/placeOfVariation";
import { variationIdAt } from "../decide/variationIdAt";
import { rememberVariation } from "../visitor/rememberVariation";
import { saveVisitor } from "../visitor/saveVisitor";
import { unsaved } from "../visitor/unsaved";

/** The variation comes by its id, or by its place in the experiment. What the project does not know changes nothing. */
export const bucketVisitor = (experimentId: unknown, variationId: unknown, variationIndex: unknown): void => {
  for (const campaign of campaigns) {
    for (const experiment of campaign[CampaignField.Experiments]) {
      const place = variationId ? placeOfVariation(experiment, String(variationId)) : Number(variationIndex ?? NaN);
      const id = variationIdAt(experiment, place);
      if (id && String(experiment[ExperimentField.Id]) === String(experimentId)) {
        rememberVariation(experiment[ExperimentField.Id], id, place);
        unsaved[-experiment[ExperimentField.Id]] = 2;
        saveVisitor();
      }
    }
  }
};
