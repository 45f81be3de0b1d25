/** `spec/vectors/bucketing.json`, whole. */

import { describe, expect, test } from "vitest";
import vectors from "../../../spec/vectors/bucketing.json";
import { bucketOf, shareAt } from "../../src/decide/bucketing";

describe("bucketing", () => {
  test.each(vectors.vectors)("visitor $visitorId in $entityId and $campaignId", (vector) => {
    expect(bucketOf(vector.visitorId + vector.entityId, 1)).toBe(vector.variationBucket);
    expect(bucketOf(vector.visitorId + vector.campaignId, 0)).toBe(vector.holdbackBucket);
  });

  test.each(vectors.choices)("$about", ({ bucket, ends, index }) => {
    expect(shareAt(bucket, ends.length, ends)).toBe(index ?? -1);
  });

  test.each(vectors.equalShares)("$count equal shares", ({ count, ends }) => {
    for (const bucket of ends.flatMap((end) => [end - 1, end]).concat(0).filter((point) => point < 10000)) {
      expect(shareAt(bucket, count, 0)).toBe(ends.findIndex((end) => bucket < end));
    }
  });
});
