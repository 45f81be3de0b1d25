/** A page whose app goes on while a campaign changes it, and which the campaign leaves. */

import type { ChangeConfig, PageConfig } from "../../src/project/config";
import { openPage } from "./openPage";
import { everybodyGets, everywhere } from "./project";

const undone: PageConfig = [2001, "page", "Page", everywhere, 0, 0, 0, 0, 0, 3];

/** Opens a page; `app` gets hold of what it has rendered, before changes are made. */
export const openApp = async <App>(body: string, app: () => App, ...changes: ChangeConfig[]) => {
  let held: App | undefined;
  const { api } = await openPage({ pages: [undone], campaigns: [everybodyGets(...changes)], observedAttributes: ["href", "style"], projectJavascript: () => (held = app()) }, { body });
  return { held: held as App, leave: () => api.push({ type: "page", pageName: "page", isActive: false }) };
};

export const find = (selector: string): HTMLElement => document.querySelector(selector) as HTMLElement;

export const item = (text: string): HTMLElement => Object.assign(document.createElement("li"), { className: text, textContent: text });

export const shown = (): string => document.body.textContent ?? "";
