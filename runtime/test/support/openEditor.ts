/** Opens the visual editor on a page, with a console's window that says what the test has it say. Timers are the test's. */

import { vi } from "vitest";
import type * as Config from "../../src/project/config";
import type { DocumentChange } from "../../src/project/editing";
import { openPage } from "./openPage";
import { everybodyGets, home } from "./project";

const CONSOLE = "https://console.test";
const EDITING = { variation: 5002, title: "Short", console: CONSOLE, site: "https://www.shop.test", nonce: "random", mayWriteCode: true };

/** What a member does with the editor, and sees of it. */
interface OpenEditor {
  /** Walks to an element by the arrow keys: no test can make a click that browsers trust. */
  select: (selector: string) => void;
  /** Writes the selected element's text. */
  type: (text: string) => void;
  /** The field of the selected element's text. */
  field: () => HTMLTextAreaElement;
  /** Writes into a field of one line. */
  write: (label: string, text: string) => void;
  press: (button: string) => void;
  /** Gives a button of the panel the focus, and presses it: its element may be another one afterwards. */
  pressByKey: (button: string) => void;
  /** The control or the words of the panel that have the focus. */
  focused: () => string | undefined;
  /** Presses a key where the focus is, in the panel or else at the given element; whether the page may act on it. */
  key: (key: string, at?: Element, further?: KeyboardEventInit) => boolean;
  /** The selected element, as people hear of it who do not see it. */
  heard: () => string | null | undefined;
  /** All that the panel says. */
  words: () => string;
  /** The changes to be copied, if they are shown. */
  copied: () => string | undefined;
  /** The list as the tab keeps it. */
  changes: () => DocumentChange[];
  /** What the console's window says. */
  hear: (message: { status?: string; changes?: DocumentChange[] }) => void;
}

/** Ends what the editor of the test before still hears. */
let close = (): void => {};

export const closeEditor = (): void => {
  close();
  document.querySelector("assay-editor")?.remove();
  document.querySelector("html > iframe")?.remove();
  vi.unstubAllGlobals();
};

export const openEditor = async (body: string, ...changes: DocumentChange[]): Promise<OpenEditor> => {
  vi.useFakeTimers();
  // jsdom has no style sheets of this kind.
  vi.stubGlobal("CSSStyleSheet", class { replaceSync = vi.fn(); });
  const project = { pages: [home], campaigns: [everybodyGets()], observedAttributes: ["style", "class"], editing: { ...EDITING, changes } };
  await openPage(project as Partial<typeof Config>, { body });
  const source = consoleWindow();
  const { startEditor } = await import("../../src/editor/startEditor");
  const listening = vi.spyOn(window, "addEventListener");
  startEditor();
  const heard = [...listening.mock.calls];
  close = () => heard.forEach((given) => window.removeEventListener(...given));
  const root = document.querySelector("assay-editor")?.shadowRoot as ShadowRoot;
  const field = (): HTMLTextAreaElement => root.querySelector("textarea") as HTMLTextAreaElement;
  const enter = (place: HTMLInputElement | HTMLTextAreaElement, text: string): void => {
    place.value = text;
    place.dispatchEvent(new Event("input"));
  };
  const keyAt = (at: Element, name: string, further: KeyboardEventInit = {}): boolean =>
    at.dispatchEvent(new KeyboardEvent("keydown", { key: name, bubbles: true, composed: true, cancelable: true, ...further }));
  const key = (name: string): boolean => keyAt(document.body, name);
  const nameOf = (control: Element): string | null => control.getAttribute("aria-label") ?? (control.closest("label") ?? control).textContent;
  const buttonOf = (words: string): HTMLButtonElement | undefined => [...root.querySelectorAll("button")].find((button) => [nameOf(button), button.textContent].includes(words));
  return {
    select: (selector) => {
      key("Escape");
      key("ArrowUp");
      wayTo(document.querySelector(selector) as Element).forEach(key);
    },
    type: (text) => enter(field(), text),
    field,
    write: (label, text) => enter([...root.querySelectorAll("label")].find((one) => one.textContent === label)?.querySelector("input") as HTMLInputElement, text),
    press: (words) => buttonOf(words)?.click(),
    pressByKey: (words) => {
      buttonOf(words)?.focus();
      buttonOf(words)?.click();
    },
    focused: () => (root.activeElement ? (nameOf(root.activeElement) ?? undefined) : undefined),
    key: (name, at = root.activeElement ?? document.body, further) => keyAt(at, name, further),
    heard: () => root.querySelector("[role=status]")?.textContent,
    words: () => root.textContent || "",
    copied: () => root.querySelector<HTMLTextAreaElement>("textarea:read-only")?.value,
    changes: () => JSON.parse(sessionStorage.getItem("experimentation_editor") || "{}").list,
    hear: (message) => void window.dispatchEvent(new MessageEvent("message", { data: { assay: "console", nonce: EDITING.nonce, ...message }, origin: CONSOLE, source })),
  };
};

/** A window that opened this one. */
const consoleWindow = (): Window => {
  const frame = document.createElement("iframe");
  document.documentElement.append(frame);
  const opener = frame.contentWindow as Window;
  opener.postMessage = vi.fn();
  vi.stubGlobal("opener", opener);
  return opener;
};

/** From the body down, and on among siblings. */
const wayTo = (element: Element): string[] => {
  if (element === document.body) {
    return [];
  }
  const { parentElement, previousElementSibling } = element;
  return previousElementSibling ? [...wayTo(previousElementSibling), "ArrowRight"] : [...wayTo(parentElement as Element), "ArrowDown"];
};
