/** Segment. */

import { globalObject } from "../browser/globals";
import type { DecisionReport } from "./report";

/** Segment: the event of its specification for A/B tests, https://segment.com/docs/connections/spec/ab-testing/ */
export const sendToSegment = ({ experiment, variation }: DecisionReport): void =>
  callSegment("track", "Experiment Viewed", {
    experiment_id: experiment.id,
    experiment_name: experiment.name,
    variation_id: variation.id,
    variation_name: variation.name,
    // Otherwise some destinations would count no visit as a bounce any more.
    nonInteraction: 1,
  });

interface Passage {
  payload: { obj: { context: { page: { referrer?: string } }; properties?: { referrer?: string } } };
  next: (payload: unknown) => void;
}

/** Tells Segment's events where the visitor came from, before they go anywhere. */
export const correctSegment = (referrer: string): void =>
  callSegment("addSourceMiddleware", ({ payload, next }: Passage) => {
    const { context, properties } = payload.obj;
    context.page.referrer = referrer;
    if (properties?.referrer) {
      properties.referrer = referrer;
    }
    next(payload);
  });

type Analytics = unknown[] & Record<string, (...parameters: unknown[]) => void>;

/** Calls a method of Segment's `analytics`, or leaves the call where its loader, and then `analytics.js` itself, will find it. */
const callSegment = (method: string, ...parameters: unknown[]): void => {
  const analytics = globalObject("analytics", () => [] as unknown as Analytics);
  if (analytics[method]) {
    analytics[method](...parameters);
  } else {
    analytics.push([method, ...parameters]);
  }
};
