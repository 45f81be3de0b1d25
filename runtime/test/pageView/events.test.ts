/** Events and failures of a page view, without a page around them. */

import { beforeEach, describe, expect, test, vi } from "vitest";
import { emit, guarded } from "../../src/pageView/events";
import { pageView } from "../../src/pageView/pageView";

let log: ReturnType<typeof vi.spyOn>;

beforeEach(() => {
  pageView.listeners = [];
  log = vi.spyOn(console, "warn").mockImplementation(() => undefined);
});

const fail = (): never => {
  throw new Error("mine");
};

describe("a listener", () => {
  test.each([
    ["without a filter", undefined, 2],
    ["of all of one type", { type: "action" }, 1],
    ["of one name", { name: "applied" }, 1],
    ["of another type", { type: "analytics" }, 0],
    ["of one name of another type", { type: "lifecycle", name: "applied" }, 0],
    ["with a filter that is none", "applied", 2],
  ])("%s hears what it asks for", (_, filter, times) => {
    const handler = vi.fn();
    pageView.listeners = [{ filter, handler }];

    emit("applied", () => ({}), "action");
    emit("activated", () => ({}));

    expect(handler).toHaveBeenCalledTimes(times);
  });

  test("is told what, of which type, and the data", () => {
    const handler = vi.fn();
    pageView.listeners = [{ handler }];

    emit("activated", () => ({ activationId: "1" }));

    expect(handler).toHaveBeenCalledWith({ type: "lifecycle", name: "activated", data: { activationId: "1" } });
  });

  test("has data of its own: what another does to them stays there", () => {
    const seen: unknown[] = [];
    const handler = (event: unknown): void => {
      const { data } = event as { data: string[] };
      data.push("mine");
      seen.push(data);
    };
    pageView.listeners = [{ handler }, { handler }];

    emit("activated", () => ["ours"]);

    expect(seen).toStrictEqual([
      ["ours", "mine"],
      ["ours", "mine"],
    ]);
  });

  test("that fails does not keep the event from the others", () => {
    const handler = vi.fn();
    pageView.listeners = [{ handler: fail }, { filter: { name: "activated" }, handler }];

    emit("activated", () => ({}));

    expect(handler).toHaveBeenCalledTimes(1);
    expect(log).toHaveBeenCalled();
  });

  test("that comes while an event is told hears the next one", () => {
    const late = vi.fn();
    pageView.listeners = [{ handler: () => (pageView.listeners = [...pageView.listeners, { handler: late }]) }];

    emit("activated", () => ({}));
    expect(late).not.toHaveBeenCalled();
    emit("activated", () => ({}));

    expect(late).toHaveBeenCalledTimes(1);
  });
});

describe("data", () => {
  test("are not made where there is no listener", () => {
    const data = vi.fn();

    emit("activated", data);

    expect(data).not.toHaveBeenCalled();
  });

  test("that cannot be made are a failure, and no more", () => {
    pageView.listeners = [{ filter: { name: "activated" }, handler: vi.fn() }];

    expect(() => emit("activated", fail)).not.toThrow();
    expect(log).toHaveBeenCalledTimes(1);
  });
});

describe("a failure", () => {
  test("is logged and goes no further", () => {
    expect(guarded(fail)).toBeUndefined();

    expect(log).toHaveBeenCalledWith("experimentation:", new Error("mine"));
  });

  test("is told to listeners", () => {
    const handler = vi.fn();
    pageView.listeners = [{ filter: { name: "failed" }, handler }];

    guarded(fail);

    expect(handler).toHaveBeenCalledWith({ type: "lifecycle", name: "failed", data: { error: new Error("mine") } });
  });

  test("of a listener at the news of a failure is not told again", () => {
    const handler = vi.fn(fail);
    pageView.listeners = [{ handler }];

    guarded(fail);

    expect(handler).toHaveBeenCalledTimes(1);
    expect(log).toHaveBeenCalledTimes(2);
  });

  test("comes to nothing for code that does not fail", () => {
    expect(guarded(() => 1)).toBe(1);
    expect(log).not.toHaveBeenCalled();
  });
});
