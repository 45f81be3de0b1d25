/** `spec/vectors/url-conditions.json`, whole. */

import { describe, expect, test, vi } from "vitest";
import vectors from "../../../spec/vectors/url-conditions.json";
import type * as Config from "../../src/project/config";

declare const jsdom: { reconfigure(settings: { url: string }): void };

describe("URL conditions", () => {
  test.each(vectors.vectors)("$conditions at $url", async ({ conditions, url, active }) => {
    vi.spyOn(console, "warn").mockReturnValue();
    vi.resetModules();
    vi.doMock("../../src/project/config", async (original) => ({
      ...(await original<typeof Config>()),
      pages: [[2001, "page", "Page", conditions]],
    }));
    jsdom.reconfigure({ url });
    const { isPageMatched } = await import("../../src/conditions/pageConditions");

    expect(isPageMatched(0)).toBe(active);
  });
});
