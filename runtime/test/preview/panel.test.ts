/** The panel of a preview: what it tells, what it switches, and that it folds. */

import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import type * as Config from "../../src/project/config";
import type { Decision } from "../../src/project/config";

const TOKEN = "assay_pv.1000.0123456789abcdef.sig-na_ture";

const CONFIG: Partial<typeof Config> = {
  campaigns: [
    [3001, "Hero text", [], [[4001, 1, [5001, "Original", 5002, "Short"]]]],
    [3002, "Free shipping", [], [[4002, 1, [5011, "Original", 5012, "Banner"], 0]]],
  ],
  previewed: [5002],
  previewChoices: [
    [
      3001,
      "Hero text",
      5002,
      [
        [5001, "Original"],
        [5002, "Short"],
      ],
    ],
  ],
};

const switching = { loadVariations: vi.fn(), chooseAudiences: vi.fn(), endPreview: vi.fn() };

/** With the decision that a redirect brought here, if one did. */
const open = async (config = CONFIG, landed?: Decision): Promise<ShadowRoot> => {
  vi.resetModules();
  vi.doMock("../../src/project/config", async (original) => ({ ...(await original<typeof Config>()), ...config }));
  vi.doMock("../../src/preview/switching", () => switching);
  const { showPanel } = await import("../../src/preview/panel");
  const { pageView } = await import("../../src/pageView/pageView");
  if (landed) {
    const campaign_ = config.campaigns?.[0] as Config.CampaignConfig;
    pageView.landing = { experimentId: "4001", variationId: "5002", referrer: "", chain_: "5002", campaign_, decision_: landed };
  }
  showPanel(TOKEN);
  return (document.documentElement.lastElementChild as HTMLElement).shadowRoot as ShadowRoot;
};

const one = <E extends HTMLElement>(root: ShadowRoot, selector: string): E => root.querySelector(selector) as E;

beforeEach(() => {
  // jsdom has no style sheets of this kind, and no screen.
  vi.stubGlobal("CSSStyleSheet", class { replaceSync = vi.fn(); });
  vi.stubGlobal("matchMedia", () => ({ matches: false }));
  sessionStorage.clear();
});

afterEach(() => {
  while (document.documentElement.lastElementChild !== document.body) {
    document.documentElement.lastElementChild?.remove();
  }
  vi.clearAllMocks();
});

describe("the panel of a preview", () => {
  test("tells what is shown and why, beside the body", async () => {
    const root = await open();

    expect(root.host.parentNode).toBe(document.documentElement);
    expect(one(root, "label").textContent).toBe("Hero text");
    expect(one<HTMLSelectElement>(root, "select").selectedOptions[0].text).toBe("Short");
    expect(one(root, ".field p").textContent).toBe("Not on this page.");
    expect(one(root, ".field li").textContent).toBe("Page: none of its pages is active");
  });

  test("tells what the visitor sees of the campaigns that the link does not name", async () => {
    const root = await open();

    expect(one(root, "details.field summary").textContent).toBe("1 other campaign");
    expect(one(root, ".other h2").textContent).toBe("Free shipping");
    expect(one(root, ".other p").textContent).toBe("Not on this page.");
  });

  test("says on the destination of a redirect that it led there", async () => {
    const root = await open(CONFIG, { experiment_: CONFIG.campaigns?.[0][3][0], variation_: 1 });

    expect(one(root, ".field p").textContent).toBe("Its redirect led to this page view: “Short”.");
  });

  test("begins folded on a phone, and stays open there once it was opened", async () => {
    vi.stubGlobal("matchMedia", () => ({ matches: true }));
    const root = await open();

    expect(one(root, ".content").hidden).toBe(true);
    one(root, ".toggle").click();
    expect(one((await open()), ".content").hidden).toBe(false);
  });

  test("keeps what is typed in it from the page's shortcuts", async () => {
    const shortcut = vi.fn();
    document.addEventListener("keydown", shortcut);

    one(await open(), "select").dispatchEvent(new KeyboardEvent("keydown", { key: "s", bubbles: true, composed: true }));

    expect(shortcut).not.toHaveBeenCalled();
  });

  test("switches to another variation", async () => {
    const root = await open();
    const select = one<HTMLSelectElement>(root, "select");

    select.value = "5001";
    select.dispatchEvent(new Event("change"));

    expect(switching.loadVariations).toHaveBeenCalledWith(TOKEN, ["5001"]);
  });

  test("offers nothing where the link shows one variation only", async () => {
    const root = await open({ ...CONFIG, previewChoices: [[3001, "Hero text", 5002, [[5002, "Short"]]]] });

    expect(root.querySelector("select")).toBeNull();
    expect(one(root, ".field").textContent).toContain("Short");
  });

  test("counts the person as in an audience", async () => {
    const root = await open({ ...CONFIG, audiences: [[6001, "Phones", []]] });

    one<HTMLInputElement>(root, "input").click();

    expect(switching.chooseAudiences).toHaveBeenCalledWith(["6001"]);
  });

  test("ends the preview", async () => {
    one(await open(), ".content > button").click();

    expect(switching.endPreview).toHaveBeenCalledOnce();
  });

  test("folds by Escape and stays folded on the next page", async () => {
    const root = await open();
    one(root, "select").dispatchEvent(new KeyboardEvent("keydown", { key: "Escape", bubbles: true }));

    expect(one(root, ".content").hidden).toBe(true);
    expect(one(root, ".toggle").getAttribute("aria-expanded")).toBe("false");
    const next = await open();
    expect(one(next, ".content").hidden).toBe(true);
    one(next, ".toggle").click();
    expect(one(next, ".content").hidden).toBe(false);
  });

  test("comes back when the page writes itself anew", async () => {
    const { host } = await open();

    host.remove();

    await vi.waitFor(() => expect(host.isConnected).toBe(true));
  });
});
