/** Amplitude: decisions and referrers, before its SDK is there and after. */

import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { correctAmplitude, sendToAmplitude } from "../../src/integrations/amplitude";

interface Plugin {
  execute: (event: object) => Promise<object>;
}

const report = {
  experiment: { id: "4001", name: "Hero" },
  variation: { id: "5002", name: "Short" },
  experimentText_: "Hero (4001)",
  variationText_: "Short (5002)",
};

const clear = (): unknown => Reflect.deleteProperty(window, "amplitude");
beforeEach(clear);
afterEach(clear);

describe("a decision", () => {
  const exposure = ["$exposure", { flag_key: "Hero (4001)", variant: "Short (5002)" }];

  test("waits where the SDK's loader, and then the SDK, will find it", () => {
    sendToAmplitude(report);
    sendToAmplitude({ ...report, variationText_: "Original (5001)" });

    const { _q: calls } = Reflect.get(window, "amplitude") as { _q: { name: string; args: unknown[] }[] };
    expect(calls.map(({ name }) => name)).toStrictEqual(["track", "track"]);
    expect(calls[0].args).toStrictEqual(exposure);
  });

  test("stands behind what the loader has left there", () => {
    Reflect.set(window, "amplitude", { _q: [{ name: "init", args: ["key"] }], _iq: {} });

    sendToAmplitude(report);

    expect(Reflect.get(window, "amplitude")._q.map(({ name }: { name: string }) => name)).toStrictEqual(["init", "track"]);
  });

  test("goes to the SDK itself where it is there", () => {
    const track = vi.fn();
    Reflect.set(window, "amplitude", { track });

    sendToAmplitude(report);

    expect(track).toHaveBeenCalledWith(...exposure);
  });
});

describe("the referrer of an event", () => {
  const HERE = "https://www.shop.test/mugs";
  const BEFORE = "https://news.test/story";

  const corrected = async (event: object): Promise<object> => {
    Object.defineProperty(document, "referrer", { value: HERE, configurable: true });
    const add = vi.fn();
    Reflect.set(window, "amplitude", { add });
    correctAmplitude(BEFORE);
    const [plugin] = add.mock.calls[0] as [Plugin];
    return plugin.execute(event);
  };

  test("of a page view is the one before the redirect, whole and by its host", async () => {
    const event = { event_properties: { referrer: HERE, referring_domain: "www.shop.test", "[Amplitude] Page Path": "/" } };

    expect(await corrected(event)).toStrictEqual({
      event_properties: { referrer: BEFORE, referring_domain: "news.test", "[Amplitude] Page Path": "/" },
    });
  });

  test("of the user is it, too, now and at first", async () => {
    const event = {
      user_properties: { $set: { referrer: HERE }, $setOnce: { initial_referrer: HERE, initial_referring_domain: "www.shop.test" }, $unset: { a: 1 } },
    };

    expect(await corrected(event)).toStrictEqual({
      user_properties: { $set: { referrer: BEFORE }, $setOnce: { initial_referrer: BEFORE, initial_referring_domain: "news.test" }, $unset: { a: 1 } },
    });
  });

  test("that is another stays: it was not the browser's", async () => {
    const event = { event_properties: { referrer: "https://partner.test/" }, user_properties: { $setOnce: { initial_referrer: "EMPTY" } } };

    expect(await corrected(structuredClone(event))).toStrictEqual(event);
  });

  test("is none in an event without properties", async () => {
    expect(await corrected({ event_type: "click" })).toStrictEqual({ event_type: "click" });
  });
});
