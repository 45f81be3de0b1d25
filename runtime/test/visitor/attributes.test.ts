/** Custom attributes: what the page tells, and how it is kept. */

import { describe, expect, test, vi } from "vitest";
import { openPage } from "../support/openPage";
import { home } from "../support/project";

const project = {
  pages: [home],
  attributes: [
    [7001, "plan", "Plan"],
    [7002, "city", 0],
  ] as const,
};

const open = () => openPage(project);
const stored = (): string => (localStorage.getItem("experimentation:1000") ?? "").split("|")[2] ?? "";

describe("a custom attribute", () => {
  const told = async (attributes: unknown) => {
    const { api } = await open();
    api.push({ type: "user", attributes } as never);
    return api.get("visitor").custom;
  };

  test("is told with its id and name", async () => {
    expect(await told({ plan: "gold", city: "Oslo" })).toStrictEqual({
      7001: { id: "7001", value: "gold", name: "Plan" },
      7002: { id: "7002", value: "Oslo", name: null },
    });
  });

  test.each([
    ["a number", 5, "5"],
    ["a truth", false, "false"],
    ["an empty text", "", ""],
    ["what stands for itself between others", "a,b|c=d%20", "a,b|c=d%20"],
    ["a list", ["a", "b"], "a,b"],
    ["other letters", "Zoë 🎉", "Zoë 🎉"],
  ])("may be %s, which is text", async (_, value, text) => {
    expect(await told({ plan: value })).toMatchObject({ 7001: { value: text } });
    const { api } = await open();

    expect(api.get("visitor").custom).toMatchObject({ 7001: { value: text } });
  });

  test.each([null, undefined])("is forgotten with %s", async (nothing) => {
    await told({ plan: "gold", city: "Oslo" });

    expect(await told({ plan: nothing })).toStrictEqual({ 7002: { id: "7002", value: "Oslo", name: null } });
    expect(stored()).not.toContain("a7001");
  });

  test("is kept under its id, so that its key may change", async () => {
    await told({ plan: "gold" });

    expect(stored()).toContain("a7001,=gold");
  });

  test("that the project does not know is kept under its name", async () => {
    expect(await told({ "my, own": "x" })).toStrictEqual({});

    expect(stored()).toContain("amy%2C%20own,=x");
  });

  test("that cannot be text is logged, and the others are kept", async () => {
    const log = vi.spyOn(console, "warn").mockImplementation(() => undefined);

    expect(await told({ plan: Symbol.iterator, city: "\ud800" })).toStrictEqual({ 7001: { id: "7001", value: "Symbol(Symbol.iterator)", name: "Plan" } });

    expect(log).toHaveBeenCalledTimes(1);
  });

  test.each([undefined, null, 5, "plan"])("is none of %j, which is no object with attributes", async (attributes) => {
    vi.spyOn(console, "warn").mockImplementation(() => undefined);

    expect(await told(attributes)).toStrictEqual({});
  });
});
