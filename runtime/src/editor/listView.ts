/** The list of changes in the panel: what each does, how many elements it finds on this page, and a way to take it back. */

import type { DocumentChange } from "../project/editing";
import { isShown } from "./editedChanges";
import { make } from "../browser/make";
import { countMatches } from "./selector";
import { wordsOf } from "./words";

/** What a list is made of, and what its buttons do. */
interface ListView {
  readonly changes: readonly DocumentChange[];
  readonly remove: (place: number) => void;
  readonly choose: (place: number) => void;
}

/** The list as elements. */
export const listView = ({ changes, remove, choose }: ListView): HTMLElement => {
  if (changes.length === 0) {
    return make("p", { className: "hint" }, "None yet. Click an element of the page.");
  }
  const items = changes.map((change, place) => {
    const selector = change.selector || "";
    const show = make("button", { type: "button", onclick: () => choose(place) }, wordsOf(change), make("br"), make("code", {}, selector));
    const drop = make("button", { type: "button", onclick: () => remove(place) }, "✕");
    drop.setAttribute("aria-label", `Take back: ${wordsOf(change)} ${selector}`);
    const problem = countWords(change);
    if (problem) {
      show.append(make("div", { className: "warning" }, problem));
    }
    return make("li", {}, show, drop);
  });
  return make("ol", {}, ...items);
};

/** What is wrong with what a change finds on this page; empty if nothing is. */
const countWords = (change: DocumentChange): string => {
  if (!change.selector || !isShown(change) || change.type === "remove") {
    return "";
  }
  return matchWords(countMatches(change.selector));
};

/** What is unusual about the number of elements that a selector finds; empty for exactly one. */
export const matchWords = (count: number): string => {
  if (count < 0) {
    return "This is no selector that browsers know.";
  }
  return count === 0 ? "Finds nothing on this page." : count > 1 ? `Finds ${count} elements, and changes all of them.` : "";
};
