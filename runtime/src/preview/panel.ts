/**
 * The panel of a preview: what is shown and why, other variations, audiences, and the way out. It stands beside the page in a shadow
 * root, so that neither changes the other; its style sheet is an object, which a page's policy on styles does not concern. Where a
 * browser has no such sheets, there is no panel.
 */

import { attempt } from "../browser/attempt";
import { button, make } from "../browser/make";
import { guarded } from "../pageView/events";
import { pageView } from "../pageView/pageView";
import { AudienceField, audiences } from "../project/config";
import { forcedAudiences } from "../visitor/forced";
import { otherCampaigns, shownCampaigns } from "./panelCampaigns";
import { panelStyle } from "./panelStyle";
import { chooseAudiences, endPreview } from "./switching";

/** In session storage: whether the person folded the panel (`1`) or opened it (`0`). */
const FOLDED = "experimentation_preview_folded";

/** On a phone, the panel begins folded: it would cover what the person came to see. */
const PHONES = "(max-width: 600px), (max-height: 480px)";

/** A page that throws the panel out more often than this within these milliseconds is left without it. */
const RETURNS_AT_MOST = 20;
const RETURNS_COUNT_MS = 10_000;

/** The panel waits this long after the page's load event, but for no longer than that after the page is parsed. */
const SETTLED_MS = 800;
const LOADED_AT_LATEST_MS = 3000;

/** What a person types in the panel is no shortcut of the page, and no reason for a dialog of the page to take the focus back. */
const PRIVATE_EVENTS = ["keydown", "keyup", "keypress", "click", "pointerdown", "mousedown", "focusin", "input"];

/** Shows the panel, for the preview with this token, as soon as the page is there. */
export const showPanel = (token: string): void => {
  let isShown = false;
  // Apps that hydrate the whole document (React 18) begin anew if they find an element that they did not write.
  const show = (): void => {
    if (!isShown) {
      isShown = true;
      guarded(() => build(token));
    }
  };
  if (document.readyState === "complete") {
    show();
  } else {
    addEventListener("load", () => setTimeout(show, SETTLED_MS));
    addEventListener("DOMContentLoaded", () => setTimeout(show, LOADED_AT_LATEST_MS));
  }
};

const build = (token: string): void => {
  const host = document.createElement("assay-preview");
  const root = host.attachShadow({ mode: "open" });
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(panelStyle);
  root.adoptedStyleSheets = [sheet];
  for (const type of PRIVATE_EVENTS) {
    host.addEventListener(type, (event) => event.stopPropagation());
  }
  const shown = make("div");
  const others = make("div");
  root.append(frame([shown, others, ...offerAudiences(), button("End the preview", endPreview)]));
  const tell = (): void => {
    shownCampaigns(shown, token);
    otherCampaigns(others);
  };
  tell();
  follow(tell);
  stay(host);
};

/** What folds: by its button, and by Escape. */
const frame = (parts: readonly HTMLElement[]): HTMLElement => {
  const content = make("div", { className: "content", id: "content" }, ...parts);
  const fold = (isFolded: boolean): void => {
    content.hidden = isFolded;
    toggle.setAttribute("aria-expanded", String(!isFolded));
  };
  const foldAndNote = (isFolded: boolean): void => {
    fold(isFolded);
    attempt(() => sessionStorage.setItem(FOLDED, isFolded ? "1" : "0"));
  };
  const toggle = button("Preview", () => foldAndNote(!content.hidden));
  toggle.className = "toggle";
  toggle.setAttribute("aria-controls", content.id);
  const panel = make("section", { className: "panel" }, toggle, content);
  panel.setAttribute("aria-label", "Preview");
  panel.onkeydown = ({ key }) => {
    if (key === "Escape" && !content.hidden) {
      foldAndNote(true);
      toggle.focus();
    }
  };
  const note = attempt(() => sessionStorage.getItem(FOLDED));
  fold(note ? note === "1" : matchMedia(PHONES).matches);
  return panel;
};

/** Decisions change with the page of a single-page app: told anew once they are all made. */
const follow = (tell: () => void): void => {
  let isWaiting = false;
  const handler = (): void => {
    if (!isWaiting) {
      isWaiting = true;
      setTimeout(() => {
        isWaiting = false;
        guarded(tell);
      });
    }
  };
  pageView.listeners = [...pageView.listeners, { filter: undefined, handler }];
};

/** Beside the body, which the page may replace, as it may the whole document. */
const stay = (host: HTMLElement): void => {
  let returns = 0;
  const observer = new MutationObserver(() => enter());
  const enter = (): void => {
    const page = document.documentElement;
    if (page && !host.isConnected && returns < RETURNS_AT_MOST) {
      returns++;
      setTimeout(() => returns--, RETURNS_COUNT_MS);
      page.append(host);
      observer.observe(page, { childList: true });
    }
  };
  enter();
  observer.observe(document, { childList: true });
};

/** The audiences of the snippet, to be counted as a member of. */
const offerAudiences = (): HTMLElement[] => {
  if (!__AUDIENCES__ || !audiences.length) {
    return [];
  }
  const boxes = audiences.map((audience) => {
    const id = audience[AudienceField.Id];
    const box = make("input", { type: "checkbox", value: String(id), checked: forcedAudiences.includes(id) });
    box.onchange = () => chooseAudiences(boxes.filter(({ checked }) => checked).map(({ value }) => value));
    return box;
  });
  const labels = boxes.map((box, place) => {
    const name = String(audiences[place][AudienceField.Name] || box.value);
    return make("label", { className: "check" }, box, name);
  });
  return [make("fieldset", { className: "field" }, make("legend", {}, "Count me as in"), ...labels)];
};
