/** Assay's own results: tells the server that delivered the snippet what the visitor saw and did. docs/events.md has the rules. */

import type { CampaignState, NameIdObject } from "../../types/index";
import { attempt } from "../browser/attempt";
import { Date, Object, String } from "../browser/builtins";
import { genuine } from "../browser/genuine";
import { isPrerendered } from "../browser/prerendered";
import { activePages, pageView } from "../pageView/pageView";
import type { CampaignConfig } from "../project/config";
import { CampaignField, campaigns, ExperimentField, isConsentRequired, PageField, pages, projectId, toldEvents, visitorIdSource } from "../project/config";
import { campaignState, decisionOf } from "../state/campaigns";
import { today } from "../visitor/behavior";
import { forcedVariations } from "../visitor/forced";
import { memorize, recall } from "../visitor/memory";
import { saveSoon, saveVisitor, syncWithOtherTabs } from "../visitor/saveVisitor";
import { visitor } from "../visitor/visitor";
import { randomId } from "../visitor/visitorId";
import { disowned, mayTell } from "./report";
import { decodePercent } from "../browser/address";

const BATCH_MS = 1000;
/** How long a page waits whose server could not take events: else all pages together would keep it from recovering. */
const PAUSE_MS = 30_000;
/** Of what waits, and again of what could not be sent: both together may outlive the page. */
const LETTERS_MAX = 10_000;
/** Browsers let all bodies that outlive the page have 64 KiB together, and a letter takes three bytes at most. */
const BODY_LETTERS_MAX = 21_000;
const TAGS_MAX = 30;
const TEXT_MAX = 450;
const NAME_MAX = 64;

type EventFields = Record<string, unknown>;

/**
 * Tells of the variations of the campaigns that are active now, at once: who leaves before the document ends has seen something of the page,
 * and who is being redirected has been given the other one. Each is told once a day: what is lost today is told tomorrow. Asked again
 * whenever the page may be over, or has been opened: `isSeenOrLeft`.
 */
export const sendExposures = (isSeenOrLeft?: unknown): void => {
  // Nobody has seen a prerendered page yet, and maybe nobody will.
  if (mayTell() && !isPrerendered()) {
    campaigns.forEach(tellExposure);
    saveSoon();
  }
  if (isSeenOrLeft || pageView.isLeft) {
    sendWaiting(true);
    // The page's own listeners come after this one.
    mayBeGone = true;
    setTimeout(() => (mayBeGone = false));
  }
  // The page may only be hidden, and what the server could not take still waits.
  sendSoon();
};

/** The id is the same wherever it is told from on that day, another tab or the landing page of a redirect, so that it counts once. */
const tellExposure = (config: CampaignConfig): void => {
  const state = campaignState(config) as CampaignState & Record<"experiment" | "variation", NameIdObject>;
  // Everybody gets the winner that is shipped: that says nothing about it.
  if (
    !state?.isActive ||
    (isConsentRequired && disowned.includes(decisionOf(config))) ||
    (__SHIPPED__ && decisionOf(config)?.experiment_?.[ExperimentField.Shipped])
  ) {
    return;
  }
  // Where a campaign is active, all are known.
  const { id: campaign, experiment, variation } = state;
  // From an A/B test, too: who is held back is shown nothing.
  const holdback = __HOLDBACK__ && state.isInCampaignHoldback;
  const forced = __FORCE__ && forcedVariations.includes(+variation.id);
  const key = "x" + experiment.id;
  let note = variation.id + "." + today() + (holdback ? "h" : "") + (forced ? "f" : "");
  const id = key + "." + note;
  if (__CHANGE_REDIRECT__ && state.visitorRedirected) {
    // What was sent from a page that was being left for this one may be lost.
    note += "r";
  }
  if (recall(key) !== note) {
    memorize(key, note);
    // None after a redirect from another page.
    const page = __CAMPAIGN_PAGES__ ? [config[CampaignField.Pages]].flat().find((place) => activePages[place]) : undefined;
    tell({
      // That of a landing was made on the page before.
      time: decisionOf(config)?.exposedAt_ || pageView.exposedAt,
      id,
      type: "exposure",
      campaign,
      experiment: experiment.id,
      variation: variation.id,
      ...(__HOLDBACK__ && { holdback }),
      ...(__FORCE__ && { forced }),
      ...(page !== undefined && { page: String(pages[page][PageField.Id]) }),
      flicker,
    });
  }
};

/** Tells of something that the visitor did. The server takes `revenue` and `value` out of the tags. */
export const tellEvent = (name: string, given: Readonly<Record<string, unknown>>): void => {
  const tags: EventFields = {};
  for (const [tag, value] of Object.entries(given).slice(0, TAGS_MAX)) {
    // Strings, numbers and booleans, and symbols.
    if (/r|bo/.test(typeof value)) {
      tags[tag.slice(0, TEXT_MAX)] = String(value).slice(0, TEXT_MAX);
    }
  }
  tell({ id: randomId(), type: "event", name: name.slice(0, NAME_MAX), tags });
};

/** Tells of the events that the page itself sees and that hold now. */
const tellSeen = (holds: (page: number, selector?: string) => unknown): void => {
  for (const [key, page, selector] of toldEvents) {
    if (attempt(() => holds(page, selector))) {
      tellEvent(key, {});
    }
  }
};

/** Tells of the pages that became active, where the project counts that. */
export const tellPageviews = (places: readonly number[]): void =>
  tellSeen((page, selector) => !selector && places.some((place) => !page || place === page - 1));

/** Tells of a click on an element that the project counts. */
const tellClick = ({ target }: Event): void =>
  tellSeen((page, selector) => selector && (!page || activePages[page - 1]) && genuine(target as Element, "closest")(selector));

/** Whether the page could be seen before the snippet ran: browsers may paint as soon as there is a body, or an element that takes its name. */
const flicker = __RESULTS__ && !!document.body;

/** The events that wait, as JSON, each after a comma in a line of its own. */
let waiting = "";
let timer: unknown;
/** How long events wait while the server cannot take what this page sends; 0 if it can. */
let pause = 0;
/** The page may be gone after this task. */
let mayBeGone = false;

const tell = (event: EventFields): void => {
  if (mayTell()) {
    waiting += "\n," + json({ time: Date.now(), ...event, bot: !!navigator.webdriver });
    if (mayBeGone || waiting.length > LETTERS_MAX) {
      sendWaiting(mayBeGone);
    } else {
      sendSoon();
    }
  }
};

const sendSoon = (): unknown => (timer ||= setTimeout(sendWaiting, pause || BATCH_MS));

/**
 * Sends what waits, and once the server has taken it, what could not be sent before: something may always keep that from it, such as a
 * firewall that an event offends. A page that is left hears no answer: then only what nobody has heard of yet.
 */
const sendWaiting = (isLeft?: boolean): void => {
  timer = clearTimeout(timer as number);
  if (isPrerendered() || !(waiting || recall("u"))) {
    return;
  }
  // Who refuses meanwhile is not told of.
  syncWithOtherTabs();
  if (!isRecognizable()) {
    saveVisitor();
  }
  const isLater = !waiting && !isLeft;
  const events = isLater ? decodePercent(recall("u")) : waiting;
  waiting = "";
  if (events && mayTell() && isRecognizable()) {
    if (isLater) {
      memorize("u", "");
      saveVisitor();
    }
    const body = json({ project: projectId, visitor: visitor.id, sent: Date.now() }).slice(0, -1) + ',"events":[' + events.slice(2) + "]}";
    const answer = (isRefused: unknown): void => {
      pause = isRefused ? PAUSE_MS : 0;
      sendSoon();
      if (isRefused) {
        keep(events);
      }
    };
    const isSent = attempt(() =>
      isLeft
        ? navigator.onLine && navigator.sendBeacon(endpoint as string, body)
        : fetch(endpoint as string, { method: "POST", body, keepalive: body.length < BODY_LETTERS_MAX }).then(
            ({ status }) => answer(status === 429 || status > 499),
            answer,
          ),
    );
    if (!isSent) {
      keep(events);
    }
  }
};

/** Whether the next page view will have the same visitor. An id that the browser does not keep would count once for each page view. */
const isRecognizable = (): unknown => (visitorIdSource && visitor.isNamed) || visitor.hasCookie || visitor.hasEntry;

const keep = (events: string): void => {
  syncWithOtherTabs();
  if (mayTell()) {
    memorize("u", encodeURIComponent((decodePercent(recall("u")) + events).slice(-LETTERS_MAX).replace(/^[^\n]*/, "")));
    saveVisitor();
  }
};

/** Fields as JSON. Old libraries change what `JSON` writes. Halves of letters, of which a text has been cut, and line breaks are spaces. */
const json = (value: unknown): string =>
  String(value) === value
    ? '"' + value.replace(/[\0-\x1f\ud800-\udfff]/gu, " ").replace(/["\\]/g, "\\$&") + '"'
    : Object(value) === value
      ? "{" + Object.entries(value as object).map(([key, part]) => json(key) + ":" + json(part)) + "}"
      : String(value);

/**
 * Where events go: to the host of the snippet. Asked while the snippet's script runs; later nobody knows. Listens as well, before any code
 * of the page can keep an event from us.
 */
const endpoint =
  __RESULTS__ &&
  (() => {
    attempt(() => {
      ["pagehide", "visibilitychange", "prerenderingchange"].forEach((type) => addEventListener(type, sendExposures, true));
      if (__RESULTS_CLICKS__) {
        addEventListener("click", tellClick, true);
      }
    });
    return /https?:\/\/[^/]*|$/.exec(Object(genuine(document, "currentScript")).src) + "/v1/events";
  })();
