/** Calls a method of Segment's `analytics`, or leaves the call where its loader, and then `analytics.js` itself, will find it. */

import { globalObject } from "./globalObject";

type Analytics = unknown[] & Record<string, (...parameters: unknown[]) => void>;

export const callSegment = (method: string, ...parameters: unknown[]): void => {
  const analytics = globalObject("analytics", () => [] as unknown as Analytics);
  if (analytics[method]) {
    analytics[method](...parameters);
  } else {
    analytics.push([method, ...parameters]);
  }
};
