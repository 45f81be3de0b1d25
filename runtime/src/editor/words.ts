/** What a change does, and what an element is, in words. */

import { genuine } from "../browser/genuine";
import type { DocumentChange } from "../project/editing";

const WORDS_LENGTH_MAX = 60;

/** One line about a change, without its selector. */
export const wordsOf = ({ type, value, name, position, to }: DocumentChange): string => {
  const short = clipped(value || "");
  switch (type) {
    case "text":
      return `Text “${short}”`;
    case "html":
      return `Content ${short}`;
    case "style":
      return name === "display" && value === "none" ? "Hidden" : `Style ${name}: ${value ?? "removed"}`;
    case "class":
      return `Class ${short}`;
    case "attribute":
      return value === null ? `${name} removed` : `${name} “${short}”`;
    case "insert":
      return `Inserted ${position}: ${short}`;
    case "move":
      return `Moved ${position} ${clipped(to || "")}`;
    case "remove":
      return "Removed";
    case "css":
      return "Style sheet";
    case "javascript":
      return "JavaScript (does not run while you edit)";
    case "redirect":
      return "Redirect (not followed while you edit)";
    default:
      return type;
  }
};

/** An element by its name, and by how its text begins as it is seen. */
export const wordsOfElement = (element: Element): string => {
  // Not every kind of element has a text as it is seen, nor has every browser.
  const text = genuine(element as HTMLElement, "innerText") ?? genuine(element, "textContent") ?? "";
  return `<${genuine(element, "localName")}> ${clipped((text || genuine(element, "getAttribute")("alt") || "").replace(/\s+/g, " ").trim())}`.trim();
};

const clipped = (text: string): string => (text.length > WORDS_LENGTH_MAX ? text.slice(0, WORDS_LENGTH_MAX) + "…" : text);
