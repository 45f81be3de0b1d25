/** The events that wait to be sent to the server that delivered the snippet, and those that it could not take. docs/events.md has the rules. */

import { decodePercent } from "../browser/address";
import { attempt } from "../browser/attempt";
import { Date, Object } from "../browser/builtins";
import { genuine } from "../browser/genuine";
import { json } from "../browser/json";
import { isPrerendered } from "../browser/prerendered";
import { projectId, visitorIdSource } from "../project/config";
import { memorize, recall } from "../visitor/memory";
import { saveVisitor, syncWithOtherTabs } from "../visitor/saveVisitor";
import { visitor } from "../visitor/visitor";
import { mayTell } from "./report";

/** No longer than what was told may not be stored yet: see `saveSoon`. */
const BATCH_MS = 500;
/** How long a page waits whose server could not take events: else all pages together would keep it from recovering. */
const PAUSE_MS = 30_000;
/** Of what waits, and again of what could not be sent, in UTF-16 code units. */
const CODE_UNITS_MAX = 10_000;
/** Browsers let all bodies that outlive the page have 64 KiB together, and a code unit takes three bytes at most. */
const BODY_CODE_UNITS_MAX = 21_000;

type EventFields = Record<string, unknown>;

/** The events that wait, as JSON, each after a comma in a line of its own. */
let waiting = "";
let timer: unknown;
/** How long events wait while the server cannot take what this page sends; 0 if it can. */
let pause = 0;
/** The page may be gone after this task. */
let mayBeGone = false;

/** Adds an event to those that wait, with its moment unless it has one. */
export const tell = (event: EventFields): void => {
  if (mayTell()) {
    waiting += "\n," + json({ time: Date.now(), ...event, bot: !!navigator.webdriver });
    if (mayBeGone || waiting.length > CODE_UNITS_MAX) {
      sendWaiting(mayBeGone);
    } else {
      sendSoon();
    }
  }
};

/**
 * Sends what waits in a moment, or once the server is asked again. Until a page has loaded, what waits is sent when the document is there, and
 * then at once: WebKit does not say that such a page is left, nor Chromium that its tab is closed.
 */
export const sendSoon = (): unknown => (timer ||= setTimeout(sendWaiting, pause || (genuine(document, "readyState") === "interactive" ? 0 : BATCH_MS)));

/** Sends what waits from a page that may be over after this task; its own listeners come after this one. */
export const sendBeforeLeaving = (): void => {
  sendWaiting(true);
  mayBeGone = true;
  setTimeout(() => (mayBeGone = false));
};

/** Sends what waits, as soon as the document is there. */
export const sendOnceThere = (): unknown => pause || sendWaiting();

/**
 * Sends what waits, and once the server has taken it, what could not be sent before: something may always keep that from it, such as a
 * firewall that blocks one of the events. A page that is left hears no answer: then only what the server has not heard of yet.
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
    const answer = (isRefused: boolean): void => {
      pause = isRefused ? PAUSE_MS : 0;
      sendSoon();
      if (isRefused) {
        keep(events);
      }
    };
    const isSent = attempt(() =>
      isLeft
        ? navigator.onLine && navigator.sendBeacon(endpoint as string, body)
        : fetch(endpoint as string, { method: "POST", body, keepalive: body.length < BODY_CODE_UNITS_MAX }).then(
            ({ status }) => answer(status === 429 || status > 499),
            () => answer(true),
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
    memorize("u", encodeURIComponent((decodePercent(recall("u")) + events).slice(-CODE_UNITS_MAX).replace(/^[^\n]*/, "")));
    saveVisitor();
  }
};

/** Where events go: to the host of the snippet. Asked while the snippet's script runs; later it is unknown. */
const endpoint = __RESULTS__ && /https?:\/\/[^/]*|$/.exec(Object(genuine(document, "currentScript")).src) + "/v1/events";
