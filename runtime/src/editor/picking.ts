/** While a member edits, what they point at is selected, and the page does nothing. */

import { genuine } from "../browser/genuine";

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
  if (event.type === "click" && event.isTrusted) {
    picked.select(elementOf(event.target));
  }
};

const elementOf = (target: EventTarget | null): Element | undefined => (target instanceof Element ? target : undefined);

const onKey = (event: KeyboardEvent, host: Element, picked: Picked): void => {
  if (!picked.isEditing() || event.target === host) {
    return;
  }
  const isUndo = (event.ctrlKey || event.metaKey) && event.key.toLowerCase() === "z";
  const next = isUndo ? undefined : neighbour(picked.selected(), event.key);
  if (!isUndo && !next && !(picked.selected() && ["Escape", "Enter"].includes(event.key))) {
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

/** The element that an arrow key leads to: up to the parent, down to the first child, left and right among siblings. */
export const neighbour = (element: Element | undefined, key: string): Element | undefined => {
  const ways = { ArrowUp: "parentElement", ArrowDown: "firstElementChild", ArrowLeft: "previousElementSibling", ArrowRight: "nextElementSibling" } as const;
  const way = ways[key as keyof typeof ways];
  const next = way && (element ? genuine(element, way) : document.body);
  return next && next.localName !== "html" && next.localName !== "assay-editor" ? next : way && element;
};
