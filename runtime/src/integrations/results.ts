/** Assay's own results: tells the server that delivered the snippet what the visitor saw and did. docs/results.md has the rules. */

import type { CampaignState } from "../../types/index";
import { attempt } from "../browser/attempt";
import { Date, Object, String } from "../browser/builtins";
import { genuine } from "../browser/genuine";
import { guarded } from "../pageView/events";
import { activePages, pageView } from "../pageView/pageView";
import type { Decision } from "../pageView/pageView";
import { campaigns, ExperimentField, projectId, toldEvents } from "../project/config";
import { campaignState, decisionOf } from "../state/campaigns";
import { today } from "../visitor/behavior";
import { forcedVariations } from "../visitor/forced";
import { memorize, recall } from "../visitor/memory";
import { saveVisitor } from "../visitor/saveVisitor";
import { isRefused, visitor } from "../visitor/visitor";
import { unsentKey } from "../visitor/storedEntry";
import { mayTell } from "./report";

const BATCH_EVENTS = 10;
const BATCH_MS = 1000;
/** Browsers let all bodies that outlive the page have 64 KiB together; a letter takes three bytes at most. */
const BATCH_LETTERS = 15_000;
const UNSENT_MAX = 100;
const PROPERTIES_MAX = 30;
const TEXT_MAX = 450;
const NAME_MAX = 64;

/** Where events go: to the host of the snippet. Asked while the snippet's script runs; later nobody knows. */
const endpoint = (__RESULTS__ &&
  attempt(() => new URL("/v1/events", Object(genuine(document, "currentScript")).src || location.href).href)) as string;

/** The decisions that were told. */
const exposed: Decision[] = [];

/**
 * Tells of the variations of the campaigns that are active now, at once: who leaves before the document ends has seen something of the page,
 * and who is being redirected has been given the other one.
 */
export const sendExposures = (): void => {
  if (awaitsVisit(sendExposures)) {
    return;
  }
  beginTelling();
  for (const campaign of mayTell() ? campaigns : []) {
    const decision = decisionOf(campaign);
    const state = decision && !exposed.includes(decision) && campaignState(campaign);
    // Everybody gets the winner that is shipped: that says nothing about it.
    if (decision && state && state.isActive && !(__SHIPPED__ && decision.experiment?.[ExperimentField.Shipped])) {
      exposed.push(decision);
      tellExposure(state);
    }
  }
  if (pageView.isLeft) {
    leave();
  }
};

/** Whether nobody has seen the page yet: then `run` runs when somebody does. */
const awaitsVisit = (run: () => void): boolean => {
  const isPrerendered = genuine(document as Document & { prerendering?: boolean }, "prerendering");
  if (isPrerendered) {
    genuine(document, "addEventListener")("prerenderingchange", run);
  }
  return !!isPrerendered;
};

/** The events that wait, as JSON. */
let waiting: string[] = [];
let timer = 0;
let isBegun = false;

/** Begins with what an earlier page could not send. */
const beginTelling = (): void => {
  if (isBegun || !mayTell()) {
    return;
  }
  isBegun = true;
  const [id, ...texts] = (attempt(() => localStorage.getItem(unsentKey)) || "").split("\n");
  if (id === visitor.id) {
    waiting = texts;
    soon();
  }
  attempt(() => localStorage.removeItem(unsentKey));
  addEventListener("pagehide", leave);
  genuine(document, "addEventListener")("visibilitychange", () => genuine(document, "visibilityState") === "hidden" && leave());
  if (__RESULTS_CLICKS__) {
    genuine(document, "addEventListener")("click", ({ target }) => guarded(() => tellClick(target as Element)), true);
  }
};

/**
 * Tells of the variation that the visitor was given, once a day: what is lost today is told tomorrow. Its id is the same wherever it is told
 * from on that day, another tab or the landing page of a redirect, so that it counts once.
 */
const tellExposure = ({ id: campaign, experiment, variation, isInCampaignHoldback, visitorRedirected }: CampaignState): void => {
  if (!experiment || !variation) {
    return;
  }
  // From an A/B test, too: who is held back is shown nothing.
  const isHeldBack = __HOLDBACK__ && isInCampaignHoldback;
  const told = variation.id + "." + today() + (isHeldBack ? "h" : "");
  const isForced = __FORCE__ && forcedVariations.includes(+variation.id);
  // What was sent from a page that was being left for this one may be lost.
  if (recall("x" + experiment.id) !== told || isForced || visitorRedirected) {
    if (!isForced) {
      memorize("x" + experiment.id, told);
      saveVisitor();
    }
    tell({
      id: experiment.id + "." + told + (isForced ? "f" : ""),
      type: "exposure",
      campaign,
      experiment: experiment.id,
      variation: variation.id,
      holdback: isHeldBack || undefined,
      forced: isForced || undefined,
    });
  }
};

/** Tells of something that the visitor did. Of `tags`, `revenue` and `value` are numbers; other texts, numbers and truths are its properties. */
export const tellEvent = (name: string, tags: Readonly<Record<string, unknown>>): void => {
  beginTelling();
  const { revenue, value } = tags;
  const cents = numberOf(revenue);
  // Cents are whole: what is not is left to be seen among the properties.
  const isWhole = cents % 1 === 0;
  const properties: Record<string, unknown> = {};
  for (const [key, given] of Object.entries(tags).slice(0, PROPERTIES_MAX)) {
    const isTaken = key === "value" || (key === "revenue" && isWhole);
    // One name that is too long would cost the whole event.
    if (!isTaken && key && key.length <= NAME_MAX && Object(given) !== given) {
      properties[key] = typeof given === "string" ? given.slice(0, TEXT_MAX) : given;
    }
  }
  tell({
    id: Date.now().toString(36) + Math.random().toString(36),
    type: "event",
    name,
    revenue: isWhole ? cents : undefined,
    value: numberOf(value),
    properties,
  });
};

/** Tells of the pages that became active, where the project counts that. */
export const tellPageviews = (places: readonly number[]): void => {
  for (const [key, page, selector] of toldEvents) {
    if (!selector && places.some((place) => !page || place === page - 1)) {
      tellEvent(key, {});
    }
  }
};

/** Tells of a click on an element that the project counts. */
const tellClick = (target: Element): void => {
  for (const [key, page, selector] of toldEvents) {
    if (selector && (!page || activePages[page - 1]) && guarded(() => target.closest(selector))) {
      tellEvent(key, {});
    }
  }
};

/** What a page gives may be a number in a text. Nothing, and an empty text, is no number. */
const numberOf = (given: unknown): number => (/^(string|number)$/.test(typeof given) && given !== "" ? Number(given) : NaN);

const tell = (event: Readonly<Record<string, unknown>>): void => {
  if (!awaitsVisit(() => tell(event)) && mayTell()) {
    waiting.push(json({ ...event, time: Date.now(), bot: navigator.webdriver || undefined }));
    soon();
  }
};

const soon = (): void => {
  if (waiting.length >= BATCH_EVENTS) {
    sendWaiting();
  } else if (waiting.length > 0) {
    timer ||= setTimeout(sendWaiting, BATCH_MS) as unknown as number;
  }
};

/** Sends what waits while the page lives. What the server could not take is kept for the next page. */
const sendWaiting = (): void =>
  takeWaiting((body, texts) => {
    const isKept = attempt(() =>
      fetch(endpoint, { method: "POST", body, keepalive: true, credentials: "omit" }).then(
        ({ status }) => (status === 429 || status > 499) && keep(texts),
        () => keep(texts),
      ),
    );
    if (!isKept) {
      keep(texts);
    }
  });

/** Sends what waits when the page may be over. */
const leave = (): void =>
  takeWaiting((body, texts) => {
    if (!attempt(() => navigator.sendBeacon(endpoint, body))) {
      keep(texts);
    }
  });

const takeWaiting = (use: (body: string, texts: string[]) => void): void => {
  clearTimeout(timer);
  timer = 0;
  while (waiting.length > 0) {
    let count = 1;
    for (let letters = waiting[0].length; count < waiting.length && (letters += waiting[count].length) < BATCH_LETTERS; ) {
      count++;
    }
    const texts = waiting.splice(0, count);
    // Who refuses meanwhile is not told of: on another origin of the site, of which only the cookie tells.
    if (mayTell() && !isRefused()) {
      const head = json({ project: projectId, visitor: visitor.id, sent: Date.now() });
      use(head.slice(0, -1) + ',"events":[' + texts.join() + "]}", texts);
    }
  }
};

const keep = (texts: readonly string[]): void => {
  if (mayTell() && !isRefused()) {
    attempt(() => {
      const [id, ...others] = (localStorage.getItem(unsentKey) || "").split("\n");
      const kept = (id === visitor.id ? others : []).concat(texts);
      localStorage.setItem(unsentKey, [visitor.id, ...kept.slice(-UNSENT_MAX)].join("\n"));
    });
  }
};

/** Texts, finite numbers, truths, and objects of them, as JSON; what is none of these is left out. Old libraries change what `JSON` writes. */
const json = (value: unknown): string => {
  if (typeof value === "string") {
    return '"' + value.replace(/["\\\u0000-\u001f]/g, (letter) => "\\u" + (letter.charCodeAt(0) + 0x10000).toString(16).slice(1)) + '"';
  }
  if (typeof value === "object" && value) {
    const parts = Object.entries(value).map(([key, part]) => [json(key), json(part)]);
    const known = parts.filter(([, text]) => text);
    return "{" + known.map((pair) => pair.join(":")).join() + "}";
  }
  return typeof value === "boolean" || (typeof value === "number" && isFinite(value)) ? String(value) : "";
};
