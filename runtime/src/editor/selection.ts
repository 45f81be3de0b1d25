/** The selected element. A page that renders anew has another element in its place: the selector finds that one. */

import { attempt } from "../browser/attempt";
import { genuine } from "../browser/genuine";
import type { DocumentChange } from "../project/editing";
import { ownNames } from "./editedChanges";
import { chooseSelector, countMatches } from "./selector";

/** What is selected. */
interface Selection {
  readonly element: () => Element | undefined;
  readonly selector: () => string;
  readonly select: (element: Element | undefined) => void;
  readonly selectBy: (selector: string) => void;
  /** The selector that a change of an element gets: the one that the list has for it, if there is one. */
  readonly selectorOf: (element: Element) => string;
}

/** Nothing is selected yet. */
export const newSelection = (list: () => readonly DocumentChange[]): Selection => {
  let selected: Element | undefined;
  let selector = "";
  const found = (): Element | undefined => attempt(() => genuine(document, "querySelector")(selector)) || undefined;
  const selectorOf = (element: Element): string => {
    const isItsOwn = (known: string): boolean => countMatches(known) === 1 && genuine(element, "matches")(known);
    const used = list().find((change) => change.selector && isItsOwn(change.selector));
    return used?.selector || chooseSelector(element, ownNames(list()));
  };
  return {
    element: () => {
      if (selected && !genuine(selected, "isConnected")) {
        selected = found();
      }
      return selected;
    },
    selector: () => selector,
    select: (element) => {
      selected = element;
      selector = element ? selectorOf(element) : "";
    },
    selectBy: (wanted) => {
      selector = wanted;
      selected = found();
    },
    selectorOf,
  };
};
