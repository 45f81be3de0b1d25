/** Notes in the address that another script wrote: only what the project itself would have done is believed, and only that is stored. */

import { describe, expect, test } from "vitest";
import { ChangeKind } from "../../src/project/config";
import type { CampaignConfig, ChangeConfig, PageConfig } from "../../src/project/config";
import { openPage } from "../support/openPage";
import { abTest, urlContains } from "../support/project";

const SHOP = "https://www.shop.test";
const mug: PageConfig = [2001, "mug", "Mug", urlContains("/mug")];
const NOTE = "experimentation_redirect=4001:5002:1:https%253A%252F%252Fevil.test%252F:5002";

/** As a value of its own: a visitor's id may have these digits, too. */
const ITS_VARIATION = /,5002\b/;

const kept = (): string => localStorage.getItem("experimentation:1000") ?? "";

const redirectTo = (to: string | (() => unknown), flags = 0): ChangeConfig => [ChangeKind.Redirect, 0, to, flags];

const test50 = (change: ChangeConfig, ends = [5000, 10000]): CampaignConfig => abTest({ ends, changes: [0, [change]] });

/** The page that is opened, its campaign being as it is told. */
const land = (campaign: CampaignConfig, path: string, note = NOTE) =>
  openPage({ pages: [mug], campaigns: [campaign] }, { url: SHOP + path + (path.includes("?") ? "&" : "?") + note, referrer: "https://evil.test/" });

describe("a note in the address is believed", () => {
  test.each([
    ["on the page that its variation leads to", redirectTo("/story"), "/story"],
    ["with the parameters that were to be preserved", redirectTo("/story?v=b", 1), "/story?v=b&utm_source=x"],
    ["on that page written otherwise", redirectTo("/story/"), "/Story"],
  ])("%s", async (_, change, path) => {
    const { state } = await land(test50(change), path);

    expect(state.getRedirectInfo()).toStrictEqual({ experimentId: "4001", variationId: "5002", referrer: "https://evil.test/" });
    expect(state.getVariationMap()["4001"].id).toBe("5002");
    expect(kept()).toMatch(ITS_VARIATION);
  });

  test("on the page that another redirect of its variation leads to", async () => {
    const { state } = await land(abTest({ ends: [5000, 10000], changes: [0, [redirectTo("/offer"), redirectTo("/story")]] }), "/story");

    expect(state.getVariationMap()["4001"].id).toBe("5002");
  });

  test("but not kept where only code knows where its variation leads", async () => {
    const { state } = await land(test50(redirectTo(() => "/story")), "/story");

    expect(state.getCampaignStates()["3001"]).toMatchObject({ isActive: true, visitorRedirected: true });
    expect(kept()).not.toMatch(ITS_VARIATION);
  });
});

describe("a note in the address counts for nothing", () => {
  test.each([
    ["on another page", redirectTo("/story"), [5000, 10000], "/basket"],
    ["on the same page with other parameters", redirectTo("/story?v=b"), [5000, 10000], "/story?v=a"],
    ["with parameters that are not preserved", redirectTo("/story"), [5000, 10000], "/story?x=1"],
    ["where no visitor is given its variation", redirectTo("/story"), [10000, 10000], "/story"],
    ["where no visitor is given its variation, which code sends on", redirectTo(() => "/story"), [10000, 10000], "/story"],
    ["where its variation does not redirect", [ChangeKind.Text, "h1", "New"] as ChangeConfig, [5000, 10000], "/story"],
    ["where its variation leads to no page", redirectTo("javascript:1"), [5000, 10000], "/story"],
  ])("%s", async (_, change, ends, path) => {
    const { state } = await land(test50(change, ends), path);

    expect(state.getRedirectInfo()).toBeNull();
    expect(state.getCampaignStates()["3001"]?.visitorRedirected ?? false).toBe(false);
    expect(kept()).not.toMatch(ITS_VARIATION);
  });

  test.each([
    ["of a variation that does not exist", "4001:5999:1::5999"],
    ["of an experiment that does not exist", "4999:5002:1::5002"],
    ["of an archived variation", "4001:0:1::0"],
    ["of another experiment's variation", "4001:3001:1::"],
  ])("%s", async (_, note) => {
    const { state } = await land(test50(redirectTo("/story")), "/story", "experimentation_redirect=" + note);

    expect(state.getRedirectInfo()).toBeNull();
    expect(state.getVariationMap()).toStrictEqual({});
  });
});

test("a note in the tab of what the project does not know stores nothing", async () => {
  document.cookie = "experimentation_redirect=1; path=/";
  sessionStorage.setItem("experimentation_redirect", `${SHOP}/story ${SHOP}/mug 4001:5999:1::5999`);

  const { state } = await openPage({ pages: [mug], campaigns: [test50(redirectTo("/story"))] }, { url: `${SHOP}/story` });

  expect(state.getRedirectInfo()).toMatchObject({ variationId: "5999" });
  expect(state.getVariationMap()).toStrictEqual({});
});
