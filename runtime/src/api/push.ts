/** `push(command)`: what the page can tell. Each command is described in types/index.d.ts. */

import type { PageTags } from "../../types/index";
import { activate } from "../activation/activate";
import { activatePages, deactivatePage } from "../activation/pages";
import { tellEvent } from "../integrations/siteEvents";
import { beginActivation, noteExposure } from "../pageView/activation";
import { emit, guarded } from "../pageView/events";
import { globalTags, pageView, tracking } from "../pageView/pageView";
import type { Listener } from "../pageView/pageView";
import { isConsentRequired, PageField, pages } from "../project/config";
import { setAttributes } from "../visitor/attributes";
import { countBehaviorEvent } from "../visitor/behavior";
import { saveSoon } from "../visitor/saveVisitor";
import { switchOff, visitor } from "../visitor/visitor";
import { bucketVisitor, moveCookie, setLocation } from "./commands";
import { consent, optOut } from "./consent";

/** Code that an activation runs may ask for another, and that one for the next; not for ever. */
const NESTED_MAX = 3;
let nested = 0;

/** What a page may send: nothing about it is certain. */
type Fields = Readonly<Record<string, unknown>>;

/** The site's own events are only passed on: what listens to them may send them. */
const tellAnalytics = ({ type, ...data }: Fields, name = type as string): void => {
  if (!pageView.isOff) {
    emit(name, () => data, "analytics");
  }
};

const commands: Record<string, (command: Fields) => unknown> = {
  activate: () => {
    // Before the visitor is known, or once nothing is known of them any more, there is nothing to do.
    if (nested++ < NESTED_MAX && visitor.id) {
      guarded(() => {
        beginActivation();
        activate();
      });
    }
    nested--;
  },
  page: (command) => {
    if (__PAGES__) {
      pushPage(command);
    }
  },
  tags: (command) => {
    if (__PAGES__) {
      Object.assign(globalTags, command.tags);
    }
  },
  user: (command) => {
    if (__CONDITION_CUSTOM_ATTRIBUTE__ && !pageView.isOff) {
      setAttributes(Object(command.attributes) as object);
      saveSoon();
    }
  },
  bucketVisitor: (command) => {
    if (__CAMPAIGNS__ && !pageView.isOff) {
      bucketVisitor(command);
    }
  },
  event: (command) => {
    if (__CONDITION_BEHAVIOR__ && !pageView.isOff) {
      countBehaviorEvent("e" + String(command.eventName));
      saveSoon();
    }
    if (__RESULTS__) {
      tellEvent(String(command.eventName), Object(command.tags) as Fields);
    }
    tellAnalytics(command, "trackEvent");
  },
  holdEvents: tellAnalytics,
  sendEvents: tellAnalytics,
  addListener: (command) => (pageView.listeners = [...pageView.listeners, command as unknown as Listener]),
  // A listener without a token cannot be removed.
  removeListener: (command) => (pageView.listeners = pageView.listeners.filter((listener) => (listener.token ?? listener) !== command.token)),
  cookieDomain: (command) => moveCookie(String(command.cookieDomain)),
  disable: (command) => {
    if (command.scope !== "tracking") {
      switchOff();
    } else if (__INTEGRATIONS__ || __RESULTS__) {
      tracking.isOff = true;
    }
  },
  ...(isConsentRequired && { consent: (command: Fields) => consent(command.granted === true) }),
  ...(__CONDITION_LOCATION__ && { location: setLocation }),
  optOut: (command) => optOut(command.isOptOut !== false),
};

const pushPage = ({ pageName, isActive, tags }: Fields): void => {
  const place = pages.findIndex((page) => page[PageField.Key] === pageName);
  if (place < 0) {
    return;
  }
  if (isActive === false) {
    deactivatePage(place);
  } else {
    noteExposure();
    activatePages([place], tags as PageTags);
  }
};

/** @returns whether there is such a command. What goes wrong in it is logged. */
export const push = (command: unknown): boolean => {
  let isKnown = false;
  // Other tabs, and the page, may have changed them.
  pageView.cookies = undefined;
  guarded(() => {
    const fields = Object(command) as Fields & { type: string };
    isKnown = Object.keys(commands).includes(fields.type);
    if (isKnown) {
      commands[fields.type](fields);
    }
  });
  return isKnown;
};
