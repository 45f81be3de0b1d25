/** Explanations of a campaign's decision, for the people who build it. */

import type { ExplanationStep } from "../../types/index";
import { isInAudience } from "../conditions/audiences";
import { bucketOf, shareAt } from "../decide/bucketing";
import { awaitsLocation, forcedDecision } from "../decide/campaign";
import { isLeftOut } from "../decide/groups";
import { isCampaignOnPage } from "../pageView/activation";
import { pageView } from "../pageView/pageView";
import { AudienceField, audiences, CampaignField, campaigns, ExperimentField, projectHoldback } from "../project/config";
import type { CampaignConfig, ExperimentConfig } from "../project/config";
import { isPaused, itemById, placeOfVariation } from "../project/items";
import { seenVariation } from "../visitor/memory";
import { visitor } from "../visitor/visitor";
import { campaignState } from "./campaigns";

/**
 * `explain`: why a campaign came out as it did for the visitor, step by step, for the people who build it. Compiled in only where the
 * project asks for it. `assay decide` explains the same without a browser. `null` for a campaign that is not in the snippet.
 */
export const explain = (campaignId: string | number): ExplanationStep[] | null => {
  const campaign = __CAMPAIGNS__ ? itemById(campaigns, campaignId) : undefined;
  return campaign && !pageView.isOff ? stepsOf(campaign) : null;
};

const stepsOf = (campaign: CampaignConfig): ExplanationStep[] => {
  const id = campaign[CampaignField.Id];
  const isOnPage = isCampaignOnPage(campaign);
  const steps = [step("pages", isOnPage, isOnPage ? "one of its pages is active" : "none of its pages is active")];
  const forced = __FORCE__ && forcedDecision(campaign);
  if (forced) {
    return [...steps, step("forced", true, "the visitor's tab asked for this variation; audiences and holdback do not count"), outcome(campaign)];
  }
  if (__CONDITION_LOCATION__ && awaitsLocation(campaign)) {
    return [...steps, step("audiences", false, "its audiences ask for the visitor's location, which the page has not told: it waits")];
  }
  if (__GROUPS__ && isLeftOut(campaign)) {
    return [...steps, step("group", false, "its group of mutually exclusive campaigns gave the visitor another one, or none")];
  }
  if (__AUDIENCES__) {
    const trees: unknown[] = campaign[CampaignField.Experiments].map((experiment) => experiment[ExperimentField.Audiences] || []);
    const places = trees.flat(Infinity).filter((operand): operand is number => typeof operand === "number");
    for (const place of places.filter((each, at) => places.indexOf(each) === at)) {
      const isMet = isInAudience(place);
      const answer = isMet === undefined ? "unknown" : isMet ? "met" : "not met";
      steps.push(step("audiences", isMet === true, `${String(audiences[place][AudienceField.Id])} is ${answer}`));
    }
  }
  if (__PROJECT_HOLDBACK__) {
    const bucket = bucketOf(visitor.id + "null", 0);
    const isHeldBack = bucket < projectHoldback;
    steps.push(step("project_holdback", isHeldBack, `bucket ${bucket}; held back from all campaigns below ${projectHoldback}`));
  }
  if (__HOLDBACK__) {
    const bucket = bucketOf(visitor.id + id, 0);
    const holdback = campaign[CampaignField.Holdback] || 0;
    steps.push(step("holdback", bucket < holdback, `bucket ${bucket}; held back below ${holdback}`));
  }
  const experimentId = campaignState(campaign)?.experiment?.id;
  const experiment = experimentId && itemById(campaign[CampaignField.Experiments], experimentId);
  if (experiment) {
    steps.push(variationStep(experiment));
    const variationId = campaignState(campaign)?.variation?.id;
    if (__PAUSED_VARIATIONS__ && variationId && isPaused(experiment, placeOfVariation(experiment, variationId))) {
      steps.push(step("paused", true, `variation ${variationId} is paused: its visitors keep it, and are shown nothing`));
    }
  }
  return [...steps, outcome(campaign)];
};

/** A variation that bucketing would give now needs no memory to be the visitor's. */
const variationStep = (experiment: ExperimentConfig): ExplanationStep => {
  if (__SHIPPED__ && experiment[ExperimentField.Shipped]) {
    return step("variation", true, "it won and is shipped, whatever was given earlier");
  }
  const count = experiment[ExperimentField.Variations].length / 2;
  const ends = experiment[ExperimentField.Ends] || 0;
  const bucket = bucketOf(visitor.id + experiment[ExperimentField.Id], 1);
  const drawn = shareAt(bucket, count, ends);
  const seen = seenVariation(experiment);
  if (seen > 0 && placeOfVariation(experiment, seen) !== drawn) {
    return step("stored", true, `was given ${seen} earlier, which stands before bucket ${bucket}`);
  }
  return step("variation", drawn >= 0, `bucket ${bucket} of 10000; shares end at ${ends ? ends.join(", ") : `equal parts of ${count}`}`);
};

const outcome = (campaign: CampaignConfig): ExplanationStep => {
  const { experiment = null, variation = null, isActive = false } = campaignState(campaign) || {};
  return step("outcome", isActive, `experiment ${experiment ? experiment.id : "none"}, variation ${variation ? variation.id : "none"}`);
};

const step = (name: ExplanationStep["step"], holds: boolean, text: string): ExplanationStep => {
  return { step: name, holds, text };
};
