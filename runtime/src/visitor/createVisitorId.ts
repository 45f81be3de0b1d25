/** Makes an id for a new visitor out of 96 random bits. */

import { attempt } from "../attempt";

/** Some pages and frames have no `crypto`: bucketing needs ids that differ, not secrets. */
export const createVisitorId = (): string =>
  attempt(() => crypto.getRandomValues(new Uint32Array(3)).join("")) || String(Math.random()).slice(2);
