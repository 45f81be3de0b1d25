/** Opens a page view: the runtime's modules anew, with a project's configuration, on a document as the browser would have it. */

import { vi } from "vitest";
import type * as Config from "../../src/project/config";
import type { Experimentation, State } from "../../types/index";

export type Project = Partial<typeof Config>;

export interface PageView {
  api: Experimentation;
  /** `get("state")`. */
  state: State;
  /** Where redirects led to. */
  left: string[];
}

interface Options {
  url?: string;
  referrer?: string;
  body?: string;
  /** What `window.experimentation` is before the snippet. */
  before?: unknown;
}

declare const jsdom: { reconfigure(settings: { url: string }): void };

export const openPage = async (project: Project, options: Options = {}): Promise<PageView> => {
  const left: string[] = [];
  closePage();
  jsdom.reconfigure({ url: options.url ?? "https://www.shop.test/" });
  Object.defineProperty(document, "referrer", { value: options.referrer ?? "", configurable: true });
  document.body.innerHTML = options.body ?? "<h1>Hello</h1>";
  if (options.before !== undefined) {
    Reflect.set(window, "experimentation", options.before);
  }
  vi.resetModules();
  vi.doMock("../../src/project/config", async (original) => ({ ...(await original<typeof Config>()), ...anew(project) }));
  vi.doMock("../../src/redirect/leaveFor", () => ({ leaveFor: (address: string) => left.push(address) }));
  await import("../../src/main");
  const api = window.experimentation;
  return { api, state: api.get("state"), left };
};

/** The project as a new page has it: nothing is noted on its campaigns and changes. */
const anew = <Value>(value: Value): Value => {
  if (Array.isArray(value)) {
    return value.map(anew) as Value;
  }
  const isPlain = Object(value) === value && Object.getPrototypeOf(value) === Object.prototype;
  return isPlain ? (Object.fromEntries(Object.entries(value as object).map(([name, part]) => [name, anew(part)])) as Value) : value;
};

/** Ends what the last page view still does. What it stored stays. */
export const closePage = (): void => {
  window.experimentation?.push?.({ type: "disable" });
  Reflect.deleteProperty(window, "experimentation");
};
