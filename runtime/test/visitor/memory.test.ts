/** What is remembered of the visitor within a page view, and what of it is still to be stored. */

import { beforeEach, describe, expect, test } from "vitest";
import type { ExperimentConfig } from "../../src/project/config";
import { forgetMemory, memorize, memory, recall, rememberVariation, seenVariation, unsaved } from "../../src/visitor/memory";

const experiment: ExperimentConfig = [4001, 1, [5001, "Original", 5002, "Short"]];

beforeEach(() => {
  forgetMemory();
});

describe("memory", () => {
  test("gives back what it was given, and an empty text for anything else", () => {
    memorize("utm", "spring");

    expect(recall("utm")).toBe("spring");
    expect(recall("ref")).toBe("");
  });

  test.each(["constructor", "toString", "__proto__"])("knows nothing of %s, which objects have", (key) => {
    expect(recall(key)).toBe("");
  });

  test("has first what was there first", () => {
    memorize("b", "1");
    memorize("a", "2");

    memorize("b", "3");

    expect(Object.keys(memory)).toStrictEqual(["b", "a"]);
  });

  test("is to be stored where it is new, and not where it is known", () => {
    memory.day = "20000";

    memorize("day", "20000");
    memorize("src", "search");
    memorize("ref", "", true);

    expect({ ...unsaved }).toStrictEqual({ src: true });
  });

  test("is to be stored as forgotten where it was known", () => {
    memory.a7001 = "=gold";

    memorize("a7001", "");

    expect(recall("a7001")).toBe("");
    expect({ ...unsaved }).toStrictEqual({ a7001: true });
  });
});

describe("a variation", () => {
  test("is the one that was given last", () => {
    expect(seenVariation(experiment)).toBeNaN();

    rememberVariation(4001, 5001, 0);
    rememberVariation(4001, 5002, 1);

    expect(seenVariation(experiment)).toBe(5002);
  });

  test("that is the first gives way to another tab's; one in another's place does not", () => {
    rememberVariation(4001, 5001, 0);
    expect("-4001" in unsaved && !unsaved["-4001"]).toBe(true);

    rememberVariation(4001, 5002, 1);

    expect(unsaved["-4001"]).toBeTruthy();
  });

  test("that was given first stands first, whatever the experiments' ids", () => {
    rememberVariation(4002, 5003, 0);
    rememberVariation(4001, 5001, 0);

    expect(Object.keys(memory)).toStrictEqual(["-4002", "-4001"]);
  });
});
