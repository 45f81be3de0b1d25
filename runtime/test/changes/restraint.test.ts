/** When a change is not applied once more: it would fight the page, or the visitor. */

import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import type { Trace } from "../../src/changes/records";
import type { ChangeConfig } from "../../src/project/config";
import { ChangeKind } from "../../src/project/config";

type Restraint = typeof import("../../src/changes/restraint");
type Notes = typeof import("../../src/changes/notes");
type Records = typeof import("../../src/changes/records");

let restraint: Restraint;
let notes: Notes;
let records: Records;

const trace = (more: Partial<Trace> = {}): Trace => ({ holds_: undefined, first_: null, overruledBy_: undefined, count_: 0, since_: 0, ...more }) as Trace;

const put = (html: string): HTMLElement => {
  document.body.innerHTML = html;
  return document.body.firstElementChild as HTMLElement;
};

// The modules keep the clock that they find.
beforeEach(async () => {
  vi.useFakeTimers({ now: 1_700_000_000_000 });
  vi.resetModules();
  restraint = await import("../../src/changes/restraint");
  notes = await import("../../src/changes/notes");
  records = await import("../../src/changes/records");
});

afterEach(() => {
  vi.restoreAllMocks();
});

describe("an app that takes a change back", () => {
  const tries = (element: Element, of: Trace, times: number): number =>
    Array.from({ length: times }, () => restraint.mayTry(of, element)).filter(Boolean).length;

  test("is given in to after ten times within a second, which is logged once", () => {
    const log = vi.spyOn(console, "warn").mockImplementation(() => undefined);
    const title = put("<h1></h1>");

    expect(tries(title, trace(), 30)).toBe(10);

    expect(log).toHaveBeenCalledTimes(1);
    expect(log).toHaveBeenCalledWith("experimentation:", "gave up", title);
  });

  test("is not given in to where it does so now and then", () => {
    const title = put("<h1></h1>");
    const of = trace();

    for (let second = 0; second < 20; second++) {
      expect(tries(title, of, 9)).toBe(9);
      vi.advanceTimersByTime(1001);
    }
  });

  test("is not given in to where it does so now and then, and the clock has been set back", () => {
    const title = put("<h1></h1>");
    const of = trace();
    restraint.mayTry(of, title);
    vi.setSystemTime(Date.now() - 3_600_000);

    for (let times = 0; times < 30; times++) {
      vi.advanceTimersByTime(300);
      expect(restraint.mayTry(of, title)).toBe(true);
    }
  });

  test("is given in to for good", () => {
    vi.spyOn(console, "warn").mockImplementation(() => undefined);
    const title = put("<h1></h1>");
    const of = trace();

    tries(title, of, 11);
    vi.advanceTimersByTime(60_000);

    expect(restraint.mayTry(of, title)).toBe(false);
  });

  test("is none while the parser brings more of the element", () => {
    const title = put("<h1>a</h1>");
    vi.spyOn(Document.prototype, "readyState", "get").mockReturnValue("loading");

    expect(tries(title, trace({ first_: title.firstChild }), 30)).toBe(30);
  });
});

describe("a visitor who writes", () => {
  const html: ChangeConfig = [ChangeKind.Html, "form", "<input>"];
  /** As the browser has it where the visitor is. */
  const writeIn = (element: HTMLElement): void => {
    Object.defineProperty(element, "isContentEditable", { value: true, configurable: true });
    element.tabIndex = 0;
    element.focus();
  };
  const wasApplied = (change: ChangeConfig, element: Element): void => {
    notes.noteOf(element).traces_ = [trace({ record_: records.recordOf(change), holds_: () => false })];
  };

  test("in an element that holds another keeps what they wrote there", () => {
    const note = put("<div><p>a</p></div>");
    writeIn(note);

    expect(restraint.isEdited([ChangeKind.Text, "p", "b"], note.firstElementChild as Element)).toBe(true);
  });

  test("in an element that would be replaced keeps it, also when they go on elsewhere", () => {
    const around = put("<div><p>a</p></div>");
    const note = around.firstElementChild as HTMLElement;
    writeIn(note);
    restraint.isEdited(html, around);

    note.blur();

    expect(restraint.isEdited(html, around)).toBe(true);
  });

  test("elsewhere does not keep a change away", () => {
    const around = put("<div><p>a</p><h1></h1></div>");
    writeIn(around.firstElementChild as HTMLElement);

    expect(restraint.isEdited([ChangeKind.Text, "h1", "b"], around.querySelector("h1") as Element)).toBe(false);
  });

  test.each([ChangeKind.Style, ChangeKind.Class, ChangeKind.Attribute])("is not kept from by a change of kind %i, which erases nothing", (kind) => {
    const note = put("<p>a</p>");
    writeIn(note);

    expect(restraint.isEdited([kind, "p", "a", "color"], note)).toBe(false);
  });

  test("in a field of ours keeps it when the page has broken the rest", () => {
    const form = put("<form><input></form>");
    wasApplied(html, form);
    expect(restraint.isEdited(html, form)).toBe(false);

    form.querySelector("input")?.setRangeText("mine");

    expect(restraint.isEdited(html, form)).toBe(true);
  });

  test("in a field of the page's has it replaced the first time", () => {
    const form = put("<form><input></form>");
    form.querySelector("input")?.setRangeText("mine");

    expect(restraint.isEdited(html, form)).toBe(false);
  });
});
