/** Changes in force, applied as the page is built and rebuilt. */

import { attempt } from "../browser/attempt";
import { Date, requestAnimationFrame } from "../browser/builtins";
import { guarded } from "../pageView/events";
import { pageView } from "../pageView/pageView";
import { ChangeField, ChangeKind, observedAttributes } from "../project/config";
import type { ChangeConfig } from "../project/config";
import { applyToElements } from "./elements";
import { asides } from "./move";
import { passes, recordOf } from "./records";
import type { ChangeRecord } from "./records";

/** Scripts of the page that answer each change of ours with one of theirs must not keep it from painting. */
const PASSES_PER_FRAME_MAX = 4;

/** Further work waits for the next frame: the page and the browser need most of this one's 16 ms. */
const MILLISECONDS_PER_PASS = 6;

/** As many as ordinary pages have changes to elements: on a slow device, too, nothing of these is seen as it was. */
const ELEMENTS_PER_PASS_MIN = 100;

let inForce: readonly ChangeConfig[] = [];
let passesInFrame = 0;

/** What `observeSelector` wants to be called whenever the document has changed. */
export const selectorWatchers: (() => void)[] = [];

/** Code that runs once needs none of this: the minifier must not find an observer that it could not drop. */
const isAnythingKept = __CHANGE_ELEMENT__ || __CHANGE_OPTIONS__ || __UTILS__;

const passOnNews = (): void => {
  passes.isNews = true;
  passSoon();
};

/** Without an observer no campaign can run: the first pass says so. */
const observer = (isAnythingKept && attempt(() => new window.MutationObserver(passOnNews))) as MutationObserver;

/**
 * Keeps changes up while the page is built and rebuilt: one observer for the whole document notes that something moved, and all that is
 * in force is gone through at once, before the browser paints, a few times a frame at most. What the page's own code waits for
 * (`observeSelector`) is looked for in the same pass. Without either nothing is observed. From now on, these changes and no
 * others; those of before where only something else is to be looked for.
 */
export const keepUp = (changes?: readonly ChangeConfig[]): void => {
  if (isAnythingKept) {
    // The page's own scripts, which wait for this event, find the page with its changes. The parser may have added something in the same
    // task, which the observer has not told yet.
    attempt(() => addEventListener("DOMContentLoaded", passOnNews, true));
  }
  if (!(__UTILS__ || __CHANGE_OPTIONS__ || __CHANGE_JAVASCRIPT__) || changes) {
    inForce = changes as readonly ChangeConfig[];
    if (__CHANGE_RIVALS__) {
      inForce.forEach((change) => (recordOf(change).order_ = ++passes.order));
    }
  }
  passes.isNews = true;
  pass();
};

const pass = (): void => {
  if (pageView.isOff) {
    inForce = [];
  }
  const list = inForce;
  passes.isCut = false;
  passes.endsAt = Date.now() + MILLISECONDS_PER_PASS;
  passes.elementsLeft = ELEMENTS_PER_PASS_MIN;
  if (__CHANGE_REMOVE__) {
    asides.length = 0;
  }
  // Code of the member may have put something else in force: that was seen to. Or it has switched us off.
  const further = list.filter((change) => pageView.isOff || inForce !== list || applyChange(change));
  if (inForce === list) {
    inForce = further;
  }
  passes.isNews = false;
  if (!isAnythingKept) {
    return;
  }
  // The changes noted so far are handled, and our own need no attention.
  observer.disconnect();
  const isWaitedFor = __UTILS__ && selectorWatchers.length > 0;
  if (inForce[0] || isWaitedFor) {
    observer.observe(document, {
      ...((__UTILS__ || __OBSERVED_ATTRIBUTES__) && {
        attributes: true,
        attributeFilter: (isWaitedFor ? undefined : observedAttributes) as string[],
      }),
      characterData: true,
      childList: true,
      subtree: true,
    });
    if (__CHANGE_REMOVE__) {
      asides.forEach((aside) => observer.observe(aside, { childList: true }));
    }
  }
  if (__UTILS__) {
    // What these do is news.
    [...selectorWatchers].forEach((look) => look());
  }
  if (passes.isCut) {
    wakeNextFrame();
  }
};

const passSoon = (): void => {
  wakeNextFrame();
  if (passesInFrame++ < PASSES_PER_FRAME_MAX) {
    pass();
  }
};

let isWoken = false;

const wakeNextFrame = (): void => {
  if (isAnythingKept && !isWoken) {
    isWoken = true;
    requestAnimationFrame(() => {
      isWoken = false;
      passesInFrame = 0;
      if (passes.isNews || passes.isCut) {
        passSoon();
      }
    });
  }
};

/**
 * Applies one change where it is not in place yet, and returns whether it still needs attention. A change that cannot be applied,
 * because its selector is none, say, is logged and given up.
 */
const applyChange = (change: ChangeConfig): boolean | undefined => {
  if (__CHANGE_OPTIONS__ && isWaiting(change)) {
    return true;
  }
  return guarded(() => {
    if (__CHANGE_JAVASCRIPT__ && change[ChangeField.Kind] === ChangeKind.Javascript) {
      const record = recordOf(change);
      if (record.ranFor_ !== record.decision_) {
        record.ranFor_ = record.decision_;
        runCode(change[ChangeField.Value] as () => unknown, record);
        if (isAnythingKept) {
          // Changes before it may find what it has brought.
          passes.isCut = true;
        }
      }
      return false;
    }
    if (__CHANGE_ELEMENT__) {
      applyToElements(change);
    }
    return true;
  });
};

/**
 * Whether a change has to wait: until those it depends on are applied, and an async one until a task of its own, so that the page is
 * painted without it.
 */
const isWaiting = (change: ChangeConfig): boolean => {
  const record = recordOf(change);
  if (change[ChangeField.IsAsync] && record.isDue_ === undefined) {
    record.isDue_ = false;
    setTimeout(() => {
      record.isDue_ = true;
      keepUp();
    });
  }
  return record.isDue_ === false || record.dependencies_.some((other) => !recordOf(other).isApplied_);
};

/**
 * Runs the JavaScript of a change. What depends on it waits for the promise that the code may return; a promise that fails is logged as
 * an exception would be, and what depends on it is not applied.
 */
const runCode = (code: () => unknown, record: ChangeRecord): void => {
  const answer = code();
  if (!(Object(answer) as { then?: unknown }).then) {
    record.isApplied_ = true;
    return;
  }
  Promise.resolve(answer).then(
    () => {
      record.isApplied_ = true;
      keepUp();
    },
    (error: unknown) =>
      guarded(() => {
        throw error;
      }),
  );
};
