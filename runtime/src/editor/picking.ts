/** While a member edits, what they point at is selected, and the page does nothing. */

import { genuine } from "../browser/genuine";
import { neighbour } from "./walking";

/** What happens while a member points and types. */
interface Picked {
  /** False in the browsing mode: the page is as ever. */
  isEditing: () => boolean;
  selected: () => Element | undefined;
  hover: (element: Element | undefined) => void;
  select: (element: Element | undefined) => void;
  undo: () => void;
  redo: () => void;
  focusPanel: () => void;
}

const POINTER_EVENTS = ["click", "dblclick", "auxclick", "pointerdown", "pointerup", "mousedown", "mouseup", "touchstart", "touchend", "submit", "contextmenu", "dragstart"];

/** Listens before the page does. `host` is the editor's own element. */
export const pick = (host: Element, picked: Picked): void => {
  const options = { capture: true, passive: false };
  for (const type of POINTER_EVENTS) {
    window.addEventListener(type, (event) => onPointer(event, host, picked), options);
  }
  window.addEventListener("pointermove", ({ target }) => picked.hover(picked.isEditing() && target !== host ? elementOf(target) : undefined), options);
  window.addEventListener("keydown", (event) => onKey(event, host, picked), options);
};

const onPointer = (event: Event, host: Element, picked: Picked): void => {
  if (event.target === host || !picked.isEditing()) {
    return;
  }
  event.preventDefault();
  event.stopImmediatePropagation();
  if (event.type === "click" && event.isTrusted && !isSubmission(event as UIEvent)) {
    picked.select(elementOf(event.target));
  }
};

/** Whether the browser clicks a form's button because Enter was pressed in a field: the member pointed at nothing. */
const isSubmission = ({ detail, target }: UIEvent): boolean => {
  const focused = genuine(document, "activeElement");
  return detail === 0 && focused !== target && focused instanceof HTMLElement && isField(focused);
};

const elementOf = (target: EventTarget | null): Element | undefined => (target instanceof Element ? target : undefined);

const onKey = (event: KeyboardEvent, host: Element, picked: Picked): void => {
  if (!picked.isEditing() || event.isComposing || hasOwnKeys(event, host)) {
    return;
  }
  const isUndo = isUndoKey(event);
  const isPlain = !(event.ctrlKey || event.metaKey || event.altKey || event.shiftKey);
  const next = isPlain ? neighbour(picked.selected(), event.key) : undefined;
  if (!isUndo && !next && !(isPlain && picked.selected() && ["Escape", "Enter"].includes(event.key))) {
    return;
  }
  event.preventDefault();
  event.stopImmediatePropagation();
  if (isUndo) {
    (event.shiftKey ? picked.redo : picked.undo)();
  } else if (event.key === "Enter") {
    picked.focusPanel();
  } else {
    picked.select(next);
  }
};

/** Whether a key is Ctrl+Z or Ctrl+Shift+Z, or the same with the Mac's key. */
export const isUndoKey = ({ ctrlKey, metaKey, altKey, key }: KeyboardEvent): boolean => (ctrlKey || metaKey) && !altKey && key.toLowerCase() === "z";

/** Whether keys belong to what has the focus: a field of the page, also in a component, or a control of the panel. The panel's words have none. */
const hasOwnKeys = (event: KeyboardEvent, host: Element): boolean => {
  const origin = event.composedPath()[0];
  if (!(origin instanceof HTMLElement)) {
    return event.target === host;
  }
  return event.target === host ? origin.tabIndex >= 0 : isField(origin);
};

/** Whether a member types or chooses in an element. */
export const isField = (element: HTMLElement): boolean =>
  ["input", "textarea", "select"].includes(genuine(element, "localName")) || genuine(element, "isContentEditable");
