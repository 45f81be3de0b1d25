/** What the panel of a preview says about each campaign: what is shown and why, in the words of `explain`. */

import type { ExplanationStep } from "../../types/index";
import { make } from "../browser/make";
import { AudienceField, audiences, CampaignField, campaigns, previewChoices } from "../project/config";
import type { PreviewChoice } from "../project/config";
import { itemById } from "../project/items";
import { campaignState } from "../state/campaigns";
import { explain } from "../state/explain";
import { loadVariations } from "./switching";

/** What each step of a decision is about. What comes out stands above the steps. */
const SUBJECTS: Readonly<Record<ExplanationStep["step"], string>> = {
  pages: "Page",
  forced: "Preview",
  group: "Group",
  audiences: "Audience",
  project_holdback: "Holdback of the project",
  holdback: "Holdback",
  stored: "Earlier visit",
  variation: "Weights",
  paused: "Paused",
  outcome: "",
};

/** Tells the campaigns that the link names, each with its variations, into `place`. */
export const shownCampaigns = (place: HTMLElement, token: string): void => {
  // A person may be about to choose: fields stay as they are, and what is said of them is new.
  if (!place.firstChild) {
    place.append(...previewChoices.map((choice) => choiceField(choice, token, place)));
  }
  previewChoices.forEach(([campaignId], at) => {
    const [, , reason, why] = place.children[at].children;
    reason.textContent = verdict(campaignId);
    why.lastElementChild?.replaceChildren(...reasons(campaignId));
  });
};

const choiceField = ([campaignId, title, shown, variations]: PreviewChoice, token: string, place: HTMLElement): HTMLElement => {
  const id = "campaign-" + campaignId;
  const parts: [HTMLElement, HTMLElement] =
    variations.length > 1
      ? [make("label", { htmlFor: id }, title), selectOf(variations, shown)]
      : [make("h2", {}, title), make("p", { className: "variation" }, variations[0][1])];
  const [, select] = parts;
  select.id = id;
  select.onchange = () => {
    const selected = [...place.querySelectorAll("select")].map(({ value }) => value);
    const others = previewChoices.filter((choice) => choice[3].length < 2).map((choice) => String(choice[2]));
    loadVariations(token, [...selected, ...others]);
  };
  return make("div", { className: "field" }, ...parts, make("p"), make("details", {}, make("summary", {}, "Why"), make("ul")));
};

const selectOf = (variations: PreviewChoice[3], shown: number): HTMLSelectElement =>
  make("select", {}, ...variations.map(([id, name]) => new Option(name, String(id), id === shown, id === shown)));

/** Tells the campaigns that run beside those of the link, as this visitor sees them. */
export const otherCampaigns = (place: HTMLElement): void => {
  const isNamed = (id: number): boolean => previewChoices.some((choice) => choice[0] === id);
  const others = __CAMPAIGNS__ ? campaigns.filter((campaign) => !isNamed(campaign[CampaignField.Id])) : [];
  const isOpen = !!place.querySelector("details")?.open;
  const list = others.map((campaign) => {
    const id = campaign[CampaignField.Id];
    const title = make("h2", {}, String(campaign[CampaignField.Name] || id));
    return make("div", { className: "other" }, title, make("p", {}, verdict(id)), make("ul", {}, ...reasons(id)));
  });
  const words = others.length === 1 ? "1 other campaign" : `${others.length} other campaigns`;
  const part = make("details", { className: "field", open: isOpen }, make("summary", {}, words), ...list);
  place.replaceChildren(...(others.length ? [part] : []));
};

/** In a sentence: what the person sees of a campaign. */
const verdict = (campaignId: number): string => {
  const campaign = itemById(campaigns, campaignId);
  const steps = explain(campaignId);
  if (!campaign || !steps) {
    return "Nothing is shown: experiments are switched off in this browser.";
  }
  const { variation, isActive, isInCampaignHoldback, visitorRedirected } = campaignState(campaign) || {};
  const isOnPage = steps.some(({ step, holds }) => step === "pages" && holds);
  if (!isOnPage) {
    return visitorRedirected ? `Its redirect led to this page view: “${variation?.name || variation?.id}”.` : "Not on this page.";
  }
  if (!variation) {
    return "Nothing is shown.";
  }
  const name = variation.name || variation.id;
  const isForced = steps.some(({ step }) => step === "forced");
  if (isForced) {
    return isActive ? "Shown on this page." : "Not shown on this page.";
  }
  return isInCampaignHoldback ? `Held back: in “${name}”, but shown nothing of it.` : `“${name}” is shown.`;
};

const reasons = (campaignId: number): HTMLElement[] =>
  (explain(campaignId) || [])
    .filter(({ step }) => step !== "outcome")
    .map(({ step, text }) => make("li", {}, `${SUBJECTS[step]}: ${step === "audiences" ? withName(text) : text}`));

/** The explanation names an audience by its id. */
const withName = (text: string): string =>
  text.replace(/^\d+/, (id) => {
    const name = __AUDIENCES__ && itemById(audiences, id)?.[AudienceField.Name];
    return name ? `“${name}”` : id;
  });
