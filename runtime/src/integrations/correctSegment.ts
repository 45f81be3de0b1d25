/** Tells Segment's events where the visitor came from, before they go anywhere. */

import { callSegment } from "./callSegment";

interface Passage {
  payload: { obj: { context: { page: { referrer?: string } }; properties?: { referrer?: string } } };
  next: (payload: unknown) => void;
}

export const correctSegment = (referrer: string): void =>
  callSegment("addSourceMiddleware", ({ payload, next }: Passage) => {
    const { context, properties } = payload.obj;
    context.page.referrer = referrer;
    if (properties?.referrer) {
      properties.referrer = referrer;
    }
    next(payload);
  });
