/** Attributes, classes and styles of one element, and whether they are as we left them. */

import { beforeEach, describe, expect, test } from "vitest";
import { addClasses, setAttribute, setStyle } from "../../src/changes/appearance";

let button: HTMLElement;

beforeEach(() => {
  document.body.innerHTML = '<button class="big red" title="Buy" style="color: red">Buy</button>';
  button = document.querySelector("button") as HTMLElement;
});

describe("an attribute", () => {
  test("is set, and holds until the page sets it otherwise", () => {
    const holds = setAttribute(button, "title", "Buy now");

    expect(button.title).toBe("Buy now");
    expect(holds()).toBe(true);
    button.title = "Sold out";
    expect(holds()).toBe(false);
  });

  test("is taken away by null, and holds until the page sets it", () => {
    const holds = setAttribute(button, "title", null);

    expect(button.hasAttribute("title")).toBe(false);
    expect(holds()).toBe(true);
    button.title = "";
    expect(holds()).toBe(false);
  });

  test("may be empty, which is not none", () => {
    const holds = setAttribute(button, "title", "");

    expect(holds()).toBe(true);
    button.removeAttribute("title");
    expect(holds()).toBe(false);
  });
});

describe("classes", () => {
  test("come to those that are there", () => {
    addClasses(button, "new blue");

    expect(button.className).toBe("big red new blue");
  });

  test.each(["new", " new ", "new\tnew", "new red"])("written %j are read as names between blanks", (written) => {
    addClasses(button, written);

    expect(button.className).toBe("big red new");
  });

  test("hold as long as all are there, whatever comes beside them", () => {
    const holds = addClasses(button, "new blue");

    button.classList.remove("big");
    button.classList.add("wide");
    expect(holds()).toBe(true);
    button.classList.remove("blue");

    expect(holds()).toBe(false);
  });

  test("that are none change nothing, and hold", () => {
    const holds = addClasses(button, "  ");

    expect(button.className).toBe("big red");
    expect(holds()).toBe(true);
  });
});

describe("a style", () => {
  test("is set, and holds until the page sets it otherwise", () => {
    const holds = setStyle(button, "color", "blue");

    expect(button.style.color).toBe("blue");
    expect(holds()).toBe(true);
    button.style.color = "green";
    expect(holds()).toBe(false);
  });

  test("holds though the browser writes its value another way", () => {
    const holds = setStyle(button, "color", "BLUE");

    expect(holds()).toBe(true);
  });

  test.each(["blue !important", "blue!important", "blue  ! important ", "blue !IMPORTANT"])("is important where %j says so", (value) => {
    setStyle(button, "color", value);

    expect(button.style.getPropertyValue("color")).toBe("blue");
    expect(button.style.getPropertyPriority("color")).toBe("important");
  });

  test("is taken away by null", () => {
    const holds = setStyle(button, "color", null);

    expect(button.style.color).toBe("");
    expect(holds()).toBe(true);
  });

  test("that the browser does not understand leaves the element as it is, and is not tried again", () => {
    const holds = setStyle(button, "color", "no colour");

    expect(button.style.color).toBe("red");
    expect(holds()).toBe(true);
  });

  test("may be a variable", () => {
    setStyle(button, "--brand", "blue");

    expect(button.style.getPropertyValue("--brand")).toBe("blue");
  });
});
