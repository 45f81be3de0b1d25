/** Segment: decisions and referrers, before `analytics.js` is there and after. */

import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { correctSegment, sendToSegment } from "../../src/integrations/segment";

type Middleware = (passage: { payload: object; next: (payload: unknown) => void }) => void;

const report = {
  experiment: { id: "4001", name: "Hero" },
  variation: { id: "5002", name: null },
  experimentText_: "Hero (4001)",
  variationText_: "(5002)",
};

const clear = (): unknown => Reflect.deleteProperty(window, "analytics");
beforeEach(clear);
afterEach(clear);

describe("a decision", () => {
  const properties = { experiment_id: "4001", experiment_name: "Hero", variation_id: "5002", variation_name: null, nonInteraction: 1 };

  test("waits in the array that the loader makes", () => {
    sendToSegment(report);

    expect(Reflect.get(window, "analytics")).toStrictEqual([["track", "Experiment Viewed", properties]]);
  });

  test("goes to `analytics` itself where it is there", () => {
    const track = vi.fn();
    Reflect.set(window, "analytics", { track });

    sendToSegment(report);

    expect(track).toHaveBeenCalledWith("Experiment Viewed", properties);
  });

  test("does not go to an element of the page with that id", () => {
    document.body.innerHTML = "<div id=analytics></div>";

    sendToSegment(report);

    expect(Reflect.get(window, "analytics")).toHaveLength(1);
  });
});

describe("the referrer of an event", () => {
  const BEFORE = "https://news.test/story";

  const corrected = (obj: object): unknown => {
    const addSourceMiddleware = vi.fn();
    Reflect.set(window, "analytics", { addSourceMiddleware });
    correctSegment(BEFORE);
    const [middleware] = addSourceMiddleware.mock.calls[0] as [Middleware];
    const next = vi.fn();
    middleware({ payload: { obj }, next });
    return (next.mock.calls[0][0] as { obj: object }).obj;
  };

  test("is the one before the redirect in the context of every event", () => {
    expect(corrected({ context: { page: { path: "/", referrer: "https://www.shop.test/" } } })).toStrictEqual({
      context: { page: { path: "/", referrer: BEFORE } },
    });
  });

  test("is it in the properties of a page view, too", () => {
    expect(corrected({ context: { page: {} }, properties: { title: "Shop", referrer: "https://www.shop.test/" } })).toStrictEqual({
      context: { page: { referrer: BEFORE } },
      properties: { title: "Shop", referrer: BEFORE },
    });
  });

  test("is not added to properties that have none", () => {
    expect(corrected({ context: { page: {} }, properties: { title: "Shop" } })).toMatchObject({ properties: { title: "Shop" } });
  });
});
