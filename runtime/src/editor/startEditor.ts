/**
 * The visual editor: a member selects an element of their own site and changes it. The list of changes is what there is; it is shown by
 * the runtime itself, and the console's window saves it.
 */

import { attempt, warn } from "../browser/attempt";
import { genuine } from "../browser/genuine";
import { isCampaignOnPage } from "../pageView/activation";
import { decisions } from "../pageView/pageView";
import { editing } from "../project/config";
import type { DocumentChange } from "../project/config";
import { variationIdAt } from "../project/items";
import { hasConsole, hearConsole, tellConsole } from "./connection";
import { ownNames, showChanges } from "./editedChanges";
import { newHistory } from "./history";
import { outline } from "./outline";
import { openPanel } from "./panel";
import type { Shown } from "./panel";
import { openRoot } from "./panelStyle";
import { pick } from "./picking";
import { chooseSelector, countMatches } from "./selector";

/** The tab keeps the list over reloads, for the case that no console's window has it. */
const STORED = "experimentation_editor";

/** Counting what selectors find is done this often, since pages change by themselves. */
const LOOK_MS = 700;

/** Starts the editor on the site that the link is for. */
export const startEditor = (): void => {
  if (location.origin !== editing.site) {
    warn("no editor: this link is for", editing.site);
    return;
  }
  const history = newHistory(storedList() || editing.changes);
  const { host, root } = openRoot();
  let isEditing = true;
  let selector = "";
  let selected: Element | undefined;
  let hovered: Element | undefined;
  let other: ((element: Element) => void) | undefined;
  let status = "";

  const selectorOf = (element: Element): string => {
    const used = history.list().find((change) => change.selector && countMatches(change.selector) === 1 && genuine(element, "matches")(change.selector));
    return used?.selector || chooseSelector(element, ownNames(history.list()));
  };
  const current = (): Element | undefined => {
    // A page that renders anew has another element in its place.
    if (selected && !genuine(selected, "isConnected")) {
      selected = attempt(() => genuine(document, "querySelector")(selector)) || undefined;
    }
    return selected;
  };
  const shown = (): Shown => {
    const element = current();
    const forms = element && { element, selector, put, selectorOf, pickOther: (then: (element: Element) => void) => (other = then) };
    return { isEditing, forms, changes: history.list(), canUndo: history.canUndo(), canRedo: history.canRedo(), notes: notesOf(status) };
  };
  const apply = (): void => {
    showChanges(editing.variation, history.list());
    attempt(() => sessionStorage.setItem(STORED, JSON.stringify({ nonce: editing.nonce, list: history.list() })));
    panel.showBar(shown());
    panel.showList(shown());
  };
  const tell = (): void => {
    apply();
    tellConsole("changes", history.list());
  };
  const put = (change: DocumentChange, merge?: string): void => {
    const list = history.list();
    const place = list.findIndex((known) => sets(known, change));
    history.put(place < 0 ? [...list, change] : list.map((known, at) => (at === place ? { ...known, ...change } : known)), merge);
    tell();
  };
  const step = (go: () => boolean): void => {
    if (go()) {
      tell();
      panel.showElement(shown());
    }
  };
  const select = (element: Element | undefined): void => {
    const then = other;
    other = undefined;
    if (then && element) {
      then(element);
      return;
    }
    selected = element;
    selector = element ? selectorOf(element) : "";
    panel.showElement(shown());
  };
  const panel = openPanel(root, {
    select,
    setEditing: (next) => {
      isEditing = next;
      panel.showBar(shown());
      select(undefined);
    },
    setSelector: (next) => {
      selector = next;
      selected = attempt(() => genuine(document, "querySelector")(next)) || undefined;
      panel.showElement(shown());
    },
    undo: () => step(history.undo),
    redo: () => step(history.redo),
    remove: (place) => {
      history.put(history.list().filter((_, at) => at !== place));
      tell();
      panel.showElement(shown());
    },
    choose: (chosen) => select(attempt(() => genuine(document, "querySelector")(chosen)) || undefined),
  });
  hearConsole(({ changes, status: words }) => {
    status = words ?? status;
    if (changes) {
      history.reset(changes);
      apply();
      panel.showElement(shown());
    }
    panel.showBar(shown());
  });
  pick(host, {
    isEditing: () => isEditing,
    selected: current,
    hover: (element) => (hovered = element),
    select,
    undo: () => step(history.undo),
    redo: () => step(history.redo),
    focusPanel: panel.focus,
  });
  outline(root, current, () => hovered);
  // The shortcuts of the page's side, in the panel; a field's own undo is the field's.
  root.addEventListener("keydown", (event) => {
    const { key, ctrlKey, metaKey, shiftKey, target } = event as KeyboardEvent;
    if ((ctrlKey || metaKey) && key.toLowerCase() === "z" && !(target instanceof HTMLInputElement || target instanceof HTMLTextAreaElement)) {
      event.preventDefault();
      step(shiftKey ? history.redo : history.undo);
    } else if (key === "Escape") {
      select(undefined);
    }
  });
  apply();
  panel.showElement(shown());
  tellConsole("ready", history.list());
  let lastLook = "";
  const look = (): void => {
    // Apps may hydrate or replace all there is.
    const page = genuine(document, "readyState") === "loading" ? undefined : document.documentElement;
    if (page && !genuine(host, "isConnected")) {
      page.append(host);
    }
    const seen = notesOf(status).join() + history.list().map((change) => countMatches(change.selector || "")).join();
    if (seen !== lastLook) {
      lastLook = seen;
      panel.showBar(shown());
      panel.showList(shown());
    }
  };
  genuine(document, "addEventListener")("DOMContentLoaded", look);
  setInterval(look, LOOK_MS);
};

/** Whether two changes set the same thing, so that the later one takes the place of the earlier. */
const sets = (known: DocumentChange, change: DocumentChange): boolean =>
  known.type === change.type && known.selector === change.selector && known.name === change.name && ["text", "style", "attribute", "class", "remove"].includes(change.type);

const notesOf = (status: string): string[] => {
  let isOnPage = false;
  decisions.forEach(({ experiment, variation }, campaign) => {
    isOnPage ||= !!experiment && variationIdAt(experiment, variation) === editing.variation && isCampaignOnPage(campaign);
  });
  return [
    ...(isOnPage ? [] : ["The campaign is not active on this page: neither you nor visitors see its changes here. Check the campaign’s pages."]),
    ...(hasConsole() ? [] : ["This site cuts the connection to the console (Cross-Origin-Opener-Policy), or the console’s window was closed: copy the changes below."]),
    ...(status ? [status] : []),
  ];
};

const storedList = (): readonly DocumentChange[] | undefined => {
  const stored = attempt(() => JSON.parse(sessionStorage.getItem(STORED) || "null") as { nonce: string; list: DocumentChange[] } | null);
  return stored?.nonce === editing.nonce ? stored.list : undefined;
};
