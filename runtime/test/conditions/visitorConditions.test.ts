/** `spec/vectors/audience-conditions.json`, whole, each as a page view of a visitor who was never here. */

import { describe, expect, test, vi } from "vitest";
import file from "../../../spec/vectors/audience-conditions.json";
import type { ConditionTree } from "../../src/project/config";
import { openPage } from "../support/openPage";
import { abTest, home } from "../support/project";

interface Visit {
  url: string;
  referrer?: string;
  cookies?: Record<string, string>;
  attributes?: Record<string, string | number | boolean | null>;
  user_agent?: string;
  local_time?: string;
  location?: Record<string, string>;
}

const vectors = file.vectors as unknown as { conditions: ConditionTree; visit: Visit; in_audience: boolean | null }[];

describe("audience conditions", () => {
  test.each(vectors)("$conditions at $visit", async ({ conditions, visit, in_audience }) => {
    vi.spyOn(console, "warn").mockReturnValue();
    vi.spyOn(navigator, "userAgent", "get").mockReturnValue(visit.user_agent ?? "");
    if (visit.local_time) {
      vi.useFakeTimers({ now: new Date(visit.local_time), toFake: ["Date"] });
    }
    Object.entries(visit.cookies ?? {}).forEach(([name, value]) => (document.cookie = `${name}=${value}; path=/`));
    const before = [
      { type: "user", attributes: visit.attributes ?? {} },
      ...(visit.location ? [{ type: "location", ...visit.location }] : []),
    ];
    const project = {
      pages: [home],
      attributes: [[5001, "plan", "Plan"] as const, [5002, "score", "Score"] as const],
      audiences: [[6001, "Audience", conditions] as const],
      campaigns: [abTest({ audiences: ["or", 0] })],
      locatedCampaigns: JSON.stringify(conditions).includes('"location"') ? [3001] : [],
    };

    const { state } = await openPage(project, { url: visit.url, referrer: visit.referrer ?? "", before });

    expect(state.getCampaignStates()["3001"]?.isActive ?? null).toBe(in_audience);
  });
});
