/** The editor's panel: modes, the selected element with its forms, and the list of changes. */

import { genuine } from "../browser/genuine";
import { editing } from "../project/config";
import type { DocumentChange } from "../project/editing";
import { hasConsole } from "./connection";
import { elementForms } from "./elementForms";
import type { Forms } from "./elementForms";
import { showAnew } from "./focus";
import { listView, matchWords } from "./listView";
import { button, lineField, make } from "../browser/make";
import { isField, isUndoKey } from "./picking";
import { countMatches } from "./selector";
import { neighbour } from "./walking";
import { wordsOfElement } from "./words";

/** What the panel shows. */
export interface Shown {
  readonly isEditing: boolean;
  readonly forms: Forms | undefined;
  readonly changes: readonly DocumentChange[];
  readonly canUndo: boolean;
  readonly canRedo: boolean;
  /** What the editor has to say: about the page, or what the console did. */
  readonly notes: readonly string[];
}

/** What the panel's buttons do. */
interface Acts {
  readonly setEditing: (isEditing: boolean) => void;
  readonly select: (element: Element | undefined) => void;
  readonly selectBy: (selector: string) => void;
  readonly choose: (place: number) => void;
  readonly undo: () => void;
  readonly redo: () => void;
  readonly remove: (place: number) => void;
}

/** The panel. Its parts are shown anew one by one, so that a field in which the member types stays. */
interface Panel {
  showBar: (shown: Shown) => void;
  showElement: (shown: Shown) => void;
  showList: (shown: Shown) => void;
  focus: () => void;
}

/** Makes the panel. */
export const openPanel = (root: ShadowRoot, acts: Acts): Panel => {
  // No header: it would be another banner of the page.
  const bar = make("div", { className: "bar" });
  const notes = make("section", { className: "hidden" });
  notes.setAttribute("aria-live", "polite");
  const element = make("section");
  const list = make("section");
  const selected = make("p", { className: "spoken" });
  selected.setAttribute("role", "status");
  let spoken: Element | undefined;
  const frame = make("div", { className: "panel" }, bar, notes, selected, element, list);
  frame.setAttribute("role", "region");
  frame.setAttribute("aria-label", "Visual editor");
  root.append(frame);
  // The shortcuts of the page, in the panel; a field's own undo is the field's.
  frame.addEventListener("keydown", (event) => {
    if (isUndoKey(event) && !isField(event.target as HTMLElement)) {
      (event.shiftKey ? acts.redo : acts.undo)();
    } else if (event.key === "Escape" && !event.isComposing) {
      acts.select(undefined);
    }
  });
  const move = button("⇄", () => frame.classList.toggle("left"));
  move.setAttribute("aria-label", "Move the panel to the other side");
  return {
    showBar: (shown) => {
      const title = make("strong", { title: editing.title }, editing.title);
      const undo = button("↶", acts.undo, !shown.canUndo);
      undo.setAttribute("aria-label", "Undo");
      const redo = button("↷", acts.redo, !shown.canRedo);
      redo.setAttribute("aria-label", "Redo");
      const browse = button("Browse", () => acts.setEditing(!shown.isEditing));
      browse.setAttribute("aria-pressed", String(!shown.isEditing));
      showAnew(root, bar, title, undo, redo, browse, move);
      notes.classList.toggle("hidden", shown.notes.length === 0);
      notes.replaceChildren(...shown.notes.map((note) => make("p", { className: "hint" }, note)));
    },
    showElement: (shown) => {
      showAnew(root, element, ...elementPart(shown, acts));
      // People who do not see the box around it hear what is selected, once for each element.
      const now = shown.forms?.element;
      if (now !== spoken) {
        spoken = now;
        selected.textContent = now ? wordsOfElement(now) : "Nothing is selected.";
      }
    },
    showList: (shown) => {
      const words = make("h2", { tabIndex: -1 }, `Changes (${shown.changes.length})`);
      showAnew(root, list, words, listView({ changes: shown.changes, remove: acts.remove, choose: acts.choose }), ...copyPart(shown.changes));
    },
    focus: () => frame.querySelector<HTMLElement>("section input, section textarea, section button")?.focus(),
  };
};

/** The words that it begins with take the focus from controls that are gone. */
const elementPart = ({ forms, isEditing }: Shown, acts: Acts): HTMLElement[] => {
  if (!forms) {
    const words = isEditing ? "Click an element to change it. Arrow keys walk through the page, Enter comes here." : "The page works as ever. Press Browse again to edit.";
    return [make("p", { className: "hint", tabIndex: -1 }, words)];
  }
  const warning = make("p", { className: "warning" }, matchWords(countMatches(forms.selector)));
  const selector = lineField("Selector", forms.selector, (value) => {
    warning.textContent = matchWords(countMatches(value));
  });
  // Tab says so before it moves the focus: to a control that is still there.
  selector.onchange = () => void setTimeout(() => acts.selectBy(selector.querySelector("input")?.value.trim() || ""));
  const ways = { Parent: "ArrowUp", Child: "ArrowDown", Previous: "ArrowLeft", Next: "ArrowRight" };
  const walk = Object.entries(ways).map(([words, key]) => button(words, () => acts.select(neighbour(forms.element, key))));
  const title = make("h2", { tabIndex: -1 }, `<${genuine(forms.element, "localName")}>`);
  const limit = insideWords(forms.element);
  const inside = limit ? [make("p", { className: "warning" }, limit)] : [];
  return [title, make("div", { className: "row" }, ...walk, button("Done", () => acts.select(undefined))), ...inside, selector, warning, ...elementForms(forms)];
};

/** Why what is seen inside an element cannot be selected. */
const insideWords = (element: Element): string | undefined => {
  if (genuine(element, "shadowRoot")) {
    return "What is inside this component cannot be changed: it has a shadow root, into which no selector reaches. The component as a whole can.";
  }
  const isFrame = /^i?frame$/.test(genuine(element, "localName"));
  return isFrame ? "What is inside this frame cannot be changed: it is another page. The frame as a whole can." : undefined;
};

/** Without the console's window, the member carries the changes there. */
const copyPart = (changes: readonly DocumentChange[]): HTMLElement[] => {
  if (hasConsole()) {
    return [];
  }
  const text = make("textarea", { readOnly: true, value: JSON.stringify(changes) });
  text.onfocus = () => text.select();
  return [make("label", {}, "Copy this into the console’s page of the visual editor", text)];
};
