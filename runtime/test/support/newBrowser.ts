/** Before each test: a browser that has never seen the site. After it: no page that would still do something. */

import { afterEach, beforeEach, vi } from "vitest";
import { closePage } from "./openPage";

declare const jsdom: { reconfigure(settings: { url: string }): void };

beforeEach(() => {
  closePage();
  vi.restoreAllMocks();
  vi.useRealTimers();
  Reflect.deleteProperty(document, "cookie");
  jsdom.reconfigure({ url: "https://www.shop.test/" });
  localStorage.clear();
  sessionStorage.clear();
  for (const cookie of document.cookie.split("; ")) {
    for (const domain of ["", "; domain=shop.test", "; domain=www.shop.test"]) {
      document.cookie = cookie.split("=")[0] + "=; path=/; max-age=0" + domain;
    }
  }
});

afterEach(closePage);
