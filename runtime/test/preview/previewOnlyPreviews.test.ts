/** A project of which nothing runs yet: its first preview. */

import { expect, test, vi } from "vitest";
import { loadPreview } from "../../src/preview/preview";

test("the first preview of a project is loaded by a snippet of which nothing runs", () => {
  const script = document.createElement("script");
  // One of another kind is not fetched, here as little as in a browser.
  Object.assign(script, { type: "text/plain", src: "https://assay.test/js/1000.js", async: true });
  document.body.replaceChildren(script);
  vi.spyOn(Document.prototype, "currentScript", "get").mockReturnValue(script);
  history.replaceState(null, "", "/?experimentation_preview=token");

  expect(loadPreview(vi.fn())).toBe(true);

  const [loaded] = document.head.querySelectorAll("script");
  expect(loaded.src).toBe("https://assay.test/js/1000.js?preview=token");
});
