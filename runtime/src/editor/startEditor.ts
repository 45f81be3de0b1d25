/**
 * The visual editor: a member selects an element of their own site and changes it. The list of changes is what there is; it is shown by
 * the runtime itself, and the console's window saves it.
 */

import { warn } from "../browser/attempt";
import { genuine } from "../browser/genuine";
import { editing } from "../project/config";
import type { DocumentChange } from "../project/editing";
import { hearConsole, tellConsole } from "./connection";
import { openList } from "./editedList";
import { notes } from "./notes";
import { outline } from "./outline";
import { openPanel } from "./panel";
import type { Shown } from "./panel";
import { openRoot } from "./panelStyle";
import { pick } from "./picking";
import { newSelection } from "./selection";
import { countMatches } from "./selector";

/** Counting what selectors find is done this often, since pages change by themselves. */
const LOOK_MS = 700;

/** Starts the editor on the site that the link is for. */
export const startEditor = (): void => {
  if (location.origin !== editing.site) {
    warn("no editor: this link is for", editing.site);
    return;
  }
  const { host, root } = openRoot();
  let isEditing = true;
  let hovered: Element | undefined;
  /** Gets the next element that is clicked. */
  let picked: ((element: Element) => void) | undefined;

  const list = openList((isElsewhere) => {
    panel.showBar(shown());
    panel.showList(shown());
    if (isElsewhere) {
      panel.showElement(shown());
    }
  });
  const selection = newSelection(list.list);
  const shown = (): Shown => {
    const element = selection.element();
    const put = (change: DocumentChange, merge?: string): void => list.put(change, merge, selection.element());
    const pickOther = (then: (element: Element) => void): void => {
      picked = then;
    };
    const { selectorOf, selectorOfChange } = selection;
    const forms = element && { element, selector: selection.selector(), put, selectorOf, selectorOfChange, pickOther };
    return { isEditing, forms, changes: list.list(), canUndo: list.canUndo(), canRedo: list.canRedo(), notes: notes() };
  };
  const select = (element: Element | undefined): void => {
    const then = picked;
    picked = undefined;
    if (then && element) {
      then(element);
      return;
    }
    selection.select(element);
    panel.showElement(shown());
  };
  const selectBy = (selector: string): void => {
    selection.selectBy(selector);
    panel.showElement(shown());
  };
  const choose = (place: number): void => {
    selection.selectChanged(place);
    panel.showElement(shown());
  };
  const setEditing = (next: boolean): void => {
    isEditing = next;
    panel.showBar(shown());
    select(undefined);
  };
  const { undo, redo, remove } = list;
  const panel = openPanel(root, { select, selectBy, choose, setEditing, undo, redo, remove });
  const hover = (element: Element | undefined): void => {
    hovered = element;
  };
  pick(host, { isEditing: () => isEditing, selected: selection.element, hover, select, undo, redo, focusPanel: panel.focus });
  outline(root, selection.element, () => hovered);
  hearConsole((message) => {
    // Where the list is the same, what the member types stays, and so does undo.
    if (message.changes && JSON.stringify(message.changes) !== JSON.stringify(list.list())) {
      list.replace(message.changes, message.isUndoable === true);
    }
    panel.showBar(shown());
  });
  list.show();
  panel.showElement(shown());
  tellConsole("ready", list.list());

  let lastLook: string | undefined;
  const look = (): void => {
    // Apps may hydrate or replace all there is.
    if (genuine(document, "readyState") !== "loading" && !genuine(host, "isConnected")) {
      genuine(document, "documentElement").append(host);
    }
    const seen = [...notes(), ...list.list().map((change) => countMatches(change.selector || ""))].join();
    if (seen !== lastLook) {
      lastLook = seen;
      panel.showBar(shown());
      panel.showList(shown());
    }
  };
  look();
  genuine(document, "addEventListener")("DOMContentLoaded", look);
  setInterval(look, LOOK_MS);
};
