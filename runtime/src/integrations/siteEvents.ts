/** Events of the site: what the page reports, and the clicks and page views that the project counts. docs/events.md has the rules. */

import { attempt } from "../browser/attempt";
import { Object, String } from "../browser/builtins";
import { genuine } from "../browser/genuine";
import { activePages } from "../pageView/pageView";
import { toldEvents } from "../project/config";
import { randomId } from "../visitor/visitorId";
import { tell } from "./eventQueue";

const TAGS_MAX = 30;
/** In UTF-16 code units, as the next. */
const TEXT_MAX = 450;
const NAME_MAX = 64;

/** Tells of something that the visitor did. The server takes `revenue` and `value` out of the tags. */
export const tellEvent = (name: string, given: Readonly<Record<string, unknown>>): void => {
  const tags: Record<string, unknown> = {};
  for (const [tag, value] of Object.entries(given).slice(0, TAGS_MAX)) {
    // Strings, numbers and booleans, and symbols.
    if (/r|bo/.test(typeof value)) {
      tags[tag.slice(0, TEXT_MAX)] = String(value).slice(0, TEXT_MAX);
    }
  }
  tell({ id: randomId(), type: "event", name: name.slice(0, NAME_MAX), tags });
};

/** Tells of the events that the page itself sees and that hold now. */
const tellSeen = (holds: (page: number, selector?: string) => unknown): void => {
  for (const [key, page, selector] of toldEvents) {
    if (attempt(() => holds(page, selector))) {
      tellEvent(key, {});
    }
  }
};

/** Tells of the pages that became active, where the project counts that. */
export const tellPageviews = (places: readonly number[]): void =>
  tellSeen((page, selector) => !selector && places.some((place) => !page || place === page - 1));

/** Tells of a click on an element that the project counts. */
export const tellClick = ({ target }: Event): void =>
  tellSeen((page, selector) => selector && (!page || activePages[page - 1]) && genuine(target as Element, "closest")(selector));
