/** `spec/vectors/url-conditions.json`, whole. */

import { describe, expect, test, vi } from "vitest";
import vectors from "../../../spec/vectors/url-conditions.json";
import { isActiveAt } from "../support/isActiveAt";

describe("URL conditions", () => {
  test.each(vectors.vectors)("$conditions at $url", async ({ conditions, url, active }) => {
    vi.spyOn(console, "warn").mockReturnValue();

    expect(await isActiveAt(conditions, url)).toBe(active);
  });
});
