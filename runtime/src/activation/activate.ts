/** Activates pages when the snippet starts, and later. */

import { noteExposure } from "../pageView/activation";
import { emit, guarded } from "../pageView/events";
import { pageView } from "../pageView/pageView";
import { PageField, pages } from "../project/config";
import type { PageConfig } from "../project/config";
import { getActivationId } from "../state/state";
import { activatePages, deactivatePage, watchDocument } from "./pages";

/**
 * Evaluates everything for the page as it is now, under a new activation id: when the snippet starts, and at each `push({type:
 * "activate"})`. `beginActivation` comes first.
 */
export const activate = (): void => {
  if (__PAGES__) {
    const isAnyLater = __MANUAL_ACTIVATION__ || __POLLING_ACTIVATION__ || __CALLBACK_ACTIVATION__;
    if (__RESULTS__) {
      pageView.exposedAt = pageView.activationId;
    }
    activatePages(isAnyLater ? [...pages.keys()].filter(isPageReady) : [...pages.keys()]);
  }
  if (__DOM_CHANGED__) {
    watchDocument();
  }
  emit("activated", () => ({ activationId: getActivationId() }));
};

const POLL_MS = 50;

/** Half an hour. A visitor who leaves a page open for longer does not need its changes any more. */
const POLLS_MAX = 36_000;

/** Pages whose callback was called: it may go on listening for as long as the page lives. */
const called: boolean[] = [];

type Callback = Exclude<PageConfig[PageField.ActivationCode], 0 | undefined>;

/**
 * Whether a page activates at once; sets up what activates it later, where that is the member's code. Pages that only `push` activates
 * need nothing; those that follow the address or the document are asked at once, too, and then again by `askAgain`.
 */
const isPageReady = (place: number): boolean => {
  const { [PageField.Activation]: activation, [PageField.ActivationCode]: code } = pages[place];
  if (__POLLING_ACTIVATION__ && activation === "polling") {
    return !!code && pollPage(place, code as () => unknown, 0);
  }
  if (__CALLBACK_ACTIVATION__ && activation === "callback") {
    if (code && !called[place]) {
      called[place] = true;
      callBack(place, code);
    }
    return false;
  }
  return !__MANUAL_ACTIVATION__ || activation !== "manual";
};

/** Ends when the code returns a truthy value, or with the activation. Code that throws is not called again. */
const pollPage = (place: number, code: () => unknown, polls: number): boolean => {
  const activationId = pageView.activationId;
  return !!guarded(() => {
    const isReady = code();
    if (!isReady && polls < POLLS_MAX) {
      setTimeout(() => {
        if (pageView.activationId === activationId && pollPage(place, code, polls + 1)) {
          noteExposure();
          activatePages([place]);
        }
      }, POLL_MS);
    }
    return isReady;
  });
};

const callBack = (place: number, code: Callback): void => {
  guarded(() =>
    code((options) => {
      if (options && options.isActive === false) {
        deactivatePage(place);
      } else {
        noteExposure();
        activatePages([place]);
      }
    }),
  );
};
