/** What a preview says in the console of changes that have found nothing to change. */

import { attempt, warn } from "../browser/attempt";
import { genuine } from "../browser/genuine";
import { recorded, recordOf } from "../changes/records";
import { ChangeField } from "../project/config";

/** Apps build their pages after the load event: what has not come by then is hardly under way. */
const UNMATCHED_AFTER_MS = 3000;

/** Names the selector of each change that was to be applied and has found no element, once the page is there. */
export const tellUnmatched = (): void => {
  const wait = (): void => void setTimeout(tellEach, UNMATCHED_AFTER_MS);
  if (document.readyState === "complete") {
    wait();
  } else {
    addEventListener("load", wait);
  }
};

const tellEach = (): void =>
  recorded.forEach((change) => {
    const selector = change[ChangeField.Selector];
    // What is there waits for other changes. A selector that is none was told of already.
    if (selector && !recordOf(change).last_ && attempt(() => genuine(document, "querySelector")(selector)) === null) {
      warn(`a change finds nothing: ${selector}`);
    }
  });
