/** Asks whether a page with these conditions is active at an address. */

import { vi } from "vitest";
import type * as Config from "../../src/project/config";

declare const jsdom: { reconfigure(settings: { url: string }): void };

export const isActiveAt = async (conditions: unknown, url: string): Promise<boolean> => {
  vi.resetModules();
  vi.doMock("../../src/project/config", async (original) => ({
    ...(await original<typeof Config>()),
    pages: [[2001, "page", "Page", conditions]],
  }));
  jsdom.reconfigure({ url });
  const { isPageMatched } = await import("../../src/conditions/pageConditions");
  return isPageMatched(0);
};
