/** The selected element. A page that renders anew has another element in its place: the selector finds that one. */

import { attempt } from "../browser/attempt";
import { genuine } from "../browser/genuine";
import type { DocumentChange } from "../project/editing";
import { isAppliedTo, ownNames } from "./editedChanges";
import { chooseSelector } from "./selector";

/** What is selected. */
interface Selection {
  readonly element: () => Element | undefined;
  /** What it is selected by. */
  readonly selector: () => string;
  /** The selector of a change that is made now: another one if changes have taken that from the element, or if it asks for what is to be changed. */
  readonly selectorOfChange: (attribute?: string) => string;
  readonly select: (element: Element | undefined) => void;
  readonly selectBy: (selector: string) => void;
  /** Selects the element that the change at this place of the list is in force on. */
  readonly selectChanged: (place: number) => void;
  /** The selector that a change of an element gets: the one that the list has for it, if there is one. */
  readonly selectorOf: (element: Element) => string;
}

/** Nothing is selected yet. */
export const newSelection = (list: () => readonly DocumentChange[]): Selection => {
  let selected: Element | undefined;
  let selector = "";
  /** Whether the member wrote the selector. */
  let isWritten = false;
  const found = (): Element | undefined => attempt(() => genuine(document, "querySelector")(selector)) || undefined;
  const all = (known: string): Element[] => [...(attempt(() => genuine(document, "querySelectorAll")(known)) || [])];
  const asksFor = (known: string, attribute: string | undefined): boolean => !!attribute && known.includes("[" + attribute);
  const selectorOf = (element: Element, attribute?: string): string => {
    const isItsOwn = (known: string, place: number): boolean =>
      isAppliedTo(place, element) && !asksFor(known, attribute) && all(known).length === 1 && all(known)[0] === element;
    const used = list().find((change, place) => change.selector && isItsOwn(change.selector, place));
    const { classes, attributes } = ownNames(list());
    return used?.selector || chooseSelector(element, { classes, attributes: attribute ? [...attributes, attribute] : attributes });
  };
  const element = (): Element | undefined => {
    if (selected && !genuine(selected, "isConnected")) {
      selected = found();
    }
    return selected;
  };
  const select = (other: Element | undefined): void => {
    selected = other;
    selector = other ? selectorOf(other) : "";
    isWritten = false;
  };
  const selectBy = (wanted: string): void => {
    selector = wanted;
    isWritten = true;
    selected = found();
  };
  return {
    element,
    selector: () => selector,
    selectorOfChange: (attribute) => {
      const here = element();
      if (here && !(all(selector).includes(here) && (isWritten || !asksFor(selector, attribute)))) {
        selector = selectorOf(here, attribute);
      }
      return selector;
    },
    select,
    selectBy,
    selectChanged: (place) => {
      const known = list()[place]?.selector || "";
      selectBy(known);
      if (selected && !isAppliedTo(place, selected)) {
        select(all("*").find((one) => isAppliedTo(place, one)) || selected);
      }
    },
    selectorOf,
  };
};
