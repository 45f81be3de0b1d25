/** Google Analytics 4, by Google's tag and by its tag manager. */

import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { sendToGtag, sendToGtm } from "../../src/integrations/google";

const report = {
  experiment: { id: "4001", name: "Hero" },
  variation: { id: "5002", name: "Short" },
  experimentText_: "Hero (4001)",
  variationText_: "Short (5002)",
};
const parameters = { exp_variant_string: "assay-4001-5002", experiment: "Hero (4001)", variation: "Short (5002)" };

const clear = (): unknown => Reflect.deleteProperty(window, "dataLayer");
beforeEach(clear);
afterEach(clear);

describe("a decision", () => {
  test("is a call of Google's tag, which it knows by its `arguments`", () => {
    sendToGtag(report);

    const [call] = Reflect.get(window, "dataLayer") as unknown[];
    expect(Object.prototype.toString.call(call)).toBe("[object Arguments]");
    expect([...(call as unknown[])]).toStrictEqual(["event", "experience_impression", parameters]);
  });

  test("is an event of the tag manager, with its parameters beside", () => {
    sendToGtm(report);

    expect(Reflect.get(window, "dataLayer")).toStrictEqual([{ event: "experience_impression", ...parameters }]);
  });

  test("stands behind what the page has pushed", () => {
    Reflect.set(window, "dataLayer", [{ event: "page" }]);

    sendToGtm(report);

    expect(Reflect.get(window, "dataLayer")).toHaveLength(2);
  });

  test("goes to the tag manager itself where it has taken the array over", () => {
    const push = vi.fn();
    Reflect.set(window, "dataLayer", { push });

    sendToGtm(report);

    expect(push).toHaveBeenCalledWith({ event: "experience_impression", ...parameters });
  });
});
