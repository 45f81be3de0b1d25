/** Segment: the event of its specification for A/B tests, https://segment.com/docs/connections/spec/ab-testing/ */

import { callSegment } from "./callSegment";
import type { DecisionReport } from "./DecisionReport";

export const sendToSegment = ({ experiment, variation }: DecisionReport): void =>
  callSegment("track", "Experiment Viewed", {
    experiment_id: experiment.id,
    experiment_name: experiment.name,
    variation_id: variation.id,
    variation_name: variation.name,
    // Otherwise some destinations would count no visit as a bounce any more.
    nonInteraction: 1,
  });
