/** What can be changed about the selected element: a form for each kind of change. */

import { genuine } from "../browser/genuine";
import { MARK } from "../changes/mark";
import { editing } from "../project/config";
import type { DocumentChange } from "../project/editing";
import { button, choice, lineField, make, textField } from "../browser/make";

/** Puts a change into the list: in place of the one that sets the same, if there is one. */
type PutChange = (change: DocumentChange, merge?: string) => void;

/** What the forms ask the editor to do. */
export interface Forms {
  readonly element: Element;
  readonly selector: string;
  readonly put: PutChange;
  /** The selector of a change that is made now, for its attribute if it is of one. */
  readonly selectorOfChange: (attribute?: string) => string;
  /** The selector of another element. */
  readonly selectorOf: (element: Element) => string;
  /** Lets the member point at another element. */
  readonly pickOther: (then: (element: Element) => void) => void;
}

const WHERE = { before: "before", after: "after", prepend: "first inside", append: "last inside" };

/** As `domain::privileged` has it: what may load something is code. */
const LOADING = /url|image|src|\\|@|attr|var\(|env\(|element\(|paint\(/i;

const NO_TEXT = ["img", "input", "script", "style", "video", "audio", "iframe", "canvas", "svg", "br", "hr", "html", "body"];

const NEEDS_CODE = "Your role does not include custom code, which this takes. An admin can give it to you.";

/** The forms for an element. */
export const elementForms = (forms: Forms): HTMLElement[] => {
  const tag = genuine(forms.element, "localName");
  return [
    ...(NO_TEXT.includes(tag) ? [] : [textForm(forms)]),
    ...(tag === "img" ? [attributeForm(forms, "alt", "Alternative text"), attributeForm(forms, "src", "Address of the image")] : []),
    ...(tag === "a" ? [attributeForm(forms, "href", "Address of the link")] : []),
    styleForm(forms),
    classForm(forms),
    placeForm(forms),
    insertForm(forms),
  ];
};

const textForm = ({ element, selectorOfChange, put }: Forms): HTMLElement => {
  const inside = genuine(element, "childElementCount");
  const text = genuine(element, "textContent") || "";
  const set = (value: string): void => {
    const selector = selectorOfChange();
    put({ type: "text", selector, value }, "text" + selector);
  };
  const area = textField("Text", inside ? text.replace(/\s+/g, " ").trim() : text.trim(), set);
  return make("div", {}, area, inside ? make("p", { className: "warning" }, `A new text replaces the ${inside} elements inside.`) : "");
};

const attributeForm = ({ element, selectorOfChange, put }: Forms, name: string, words: string): HTMLElement => {
  const isRefused = name !== "alt" && !editing.mayWriteCode;
  const set = (value: string): void => {
    const selector = selectorOfChange(name);
    put({ type: "attribute", selector, name, value }, name + selector);
  };
  const label = lineField(words, genuine(element, "getAttribute")(name) || "", set, isRefused);
  // Browsers take the picture from the set first.
  const hasSet = name === "src" && genuine(element, "hasAttribute")("srcset");
  const drop = button("Drop the other sizes (srcset)", () => put({ type: "attribute", selector: selectorOfChange("srcset"), name: "srcset", value: null }), isRefused);
  return make("div", {}, label, hasSet ? drop : "", isRefused ? make("p", { className: "hint" }, NEEDS_CODE) : "");
};

const styleForm = ({ element, selectorOfChange, put }: Forms): HTMLElement => {
  const name = make("input", { spellcheck: false, placeholder: "color" });
  const value = make("input", { spellcheck: false, placeholder: "#c00" });
  const problem = make("p", { className: "warning" });
  const list = make("datalist", { id: "properties" }, ...PROPERTIES.map((property) => make("option", { value: property })));
  name.setAttribute("list", "properties");
  name.onchange = () => {
    value.placeholder = getComputedStyle(element).getPropertyValue(name.value.trim());
  };
  const set = (): void => {
    const property = name.value.trim();
    const isKnown = CSS.supports(property, value.value.replace(/!\s*important\s*$/, ""));
    const isRefused = !editing.mayWriteCode && LOADING.test(property + value.value);
    problem.textContent = isRefused ? NEEDS_CODE : isKnown ? "" : "The browser does not know this property with this value.";
    if (isKnown && !isRefused) {
      put({ type: "style", selector: selectorOfChange("style"), name: property, value: value.value });
    }
  };
  const labels = make("div", { className: "row" }, make("label", {}, "Property", name), make("label", {}, "Value", value));
  return make("details", {}, make("summary", {}, "Style"), list, labels, problem, button("Set style", set));
};

const PROPERTIES = ["color", "background-color", "font-size", "font-weight", "text-align", "padding", "margin", "border", "border-radius", "width", "max-width", "display", "opacity", "order"];

const classForm = ({ element, selectorOfChange, put }: Forms): HTMLElement => {
  const input = make("input", { spellcheck: false });
  const add = (): void => {
    const value = input.value.trim();
    if (value) {
      put({ type: "class", selector: selectorOfChange("class"), value });
    }
  };
  const present = make("p", { className: "hint" }, "It has: ", make("code", {}, genuine(element, "getAttribute")("class") || "none"));
  return make("details", {}, make("summary", {}, "Class"), present, make("label", {}, "Add classes", input), button("Add", add));
};

const placeForm = ({ element, selectorOfChange, put, selectorOf, pickOther }: Forms): HTMLElement => {
  const place = (other: Element | undefined, position: string): void => {
    // Nothing moves into itself.
    if (other && !genuine(element, "contains")(other)) {
      put({ type: "move", selector: selectorOfChange(), to: selectorOf(other), position });
    }
  };
  // Asked for when it is needed: the element may have moved since.
  const beside = (way: "previousElementSibling" | "nextElementSibling"): Element | undefined => {
    let other = genuine(element, way);
    while (other && (genuine(other, "hasAttribute")(MARK) || genuine(other, "localName") === "assay-editor")) {
      other = genuine(other, way);
    }
    return other || undefined;
  };
  const where = choice("Move it", WHERE);
  const other = button("another element: click it", () => pickOther((target) => place(target, where.value())));
  return make(
    "div",
    {},
    make(
      "div",
      { className: "row" },
      button("Hide", () => put({ type: "style", selector: selectorOfChange("style"), name: "display", value: "none" })),
      button("Remove", () => put({ type: "remove", selector: selectorOfChange() })),
      button("Move up", () => place(beside("previousElementSibling"), "before")),
      button("Move down", () => place(beside("nextElementSibling"), "after")),
    ),
    make("details", {}, make("summary", {}, "Move elsewhere"), where.label, other),
  );
};

const insertForm = ({ selectorOfChange, put }: Forms): HTMLElement => {
  const where = choice("Where", WHERE);
  let html = "";
  const area = textField("HTML", "", (value) => (html = value), !editing.mayWriteCode);
  const insert = button("Insert", () => html.trim() && put({ type: "insert", selector: selectorOfChange(), value: html, position: where.value() }), !editing.mayWriteCode);
  const hint = editing.mayWriteCode ? "" : make("p", { className: "hint" }, NEEDS_CODE);
  return make("details", {}, make("summary", {}, "Insert HTML"), where.label, area, hint, insert);
};
