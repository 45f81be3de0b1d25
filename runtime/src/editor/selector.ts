/**
 * Chooses the selector of a change: one that finds exactly the element, and will find it after the site's next release. What its authors
 * named comes first (ids, test ids, data attributes, landmarks, classes), and counting comes last.
 */

import { genuine } from "../browser/genuine";
import { isStableClass, isStableName } from "./stableNames";

/** What changes of the variation have set themselves: it is not in the page that their selectors are looked for in. */
export interface OwnNames {
  readonly classes: readonly string[];
  readonly attributes: readonly string[];
}

const ANCESTORS_MAX = 16;
const HOOKS_MAX = 8;
const VALUE_LENGTH_MAX = 60;

const TEST_ATTRIBUTES = ["data-testid", "data-test-id", "data-test", "data-cy", "data-qa"];
const LANDMARKS = ["body", "header", "main", "nav", "footer", "aside", "h1"];
const FIELDS = ["input", "select", "textarea", "button", "form", "fieldset"];

/** Attributes that frameworks write, or that say what state an element is in. */
const TRANSIENT = /^data-(v-|react|emotion|state|active|open|selected|index|key|n-|s$|hydrat|svelte|ng|turbo|aos|loaded|src|style|experimentation|radix|headlessui)/;

const NOTHING: OwnNames = { classes: [], attributes: [] };

/** The selector of an element of the document. It finds exactly this element. */
export const chooseSelector = (element: Element, own: OwnNames = NOTHING): string => {
  const hooks = hooksOf(element, own);
  const alone = hooks.find((hook) => isOnly(hook, element));
  return alone || belowAnchor(element, [...hooks, tagOf(element)], own) || counted(element, own, "nth-of-type") || counted(element, own, "nth-child");
};

/** How many elements a selector finds; -1 if it is no selector. */
export const countMatches = (selector: string): number => {
  try {
    return genuine(document, "querySelectorAll")(selector).length;
  } catch {
    return -1;
  }
};

/** What an element can be found by, best first. */
const hooksOf = (element: Element, own: OwnNames): string[] => {
  const tag = tagOf(element);
  const attribute = (name: string): string => (own.attributes.includes(name) ? "" : genuine(element, "getAttribute")(name) || "");
  const hooks: string[] = [];
  const add = (prefix: string, name: string, value = attribute(name)): void => {
    if (value && value.length <= VALUE_LENGTH_MAX) {
      hooks.push(`${prefix}[${escaped(name)}=${quoted(value)}]`);
    }
  };
  const id = attribute("id");
  if (isStableName(id)) {
    hooks.push("#" + escaped(id));
  }
  TEST_ATTRIBUTES.forEach((name) => add("", name));
  for (const name of genuine(element, "getAttributeNames")()) {
    if (name.startsWith("data-") && !TEST_ATTRIBUTES.includes(name) && !TRANSIENT.test(name) && isStableName(attribute(name))) {
      add(tag, name);
    }
  }
  if (FIELDS.includes(tag) && /^(.|[^\d:]+)$/.test(attribute("name"))) {
    add(tag, "name");
  }
  if (LANDMARKS.includes(tag)) {
    hooks.push(tag);
  }
  const classes = [...genuine(element, "classList")].filter((name) => isStableClass(name) && !own.classes.includes(name));
  hooks.push(...classes.map((name) => `${tag}.${escaped(name)}`));
  if (classes.length > 1) {
    hooks.push(tag + classes.map((name) => "." + escaped(name)).join(""));
  }
  if (tag === "a" && /^(\/|https?:)[^?]*$/.test(attribute("href"))) {
    add(tag, "href");
  }
  if (FIELDS.includes(tag)) {
    add(tag, "type");
  }
  return hooks.slice(0, HOOKS_MAX);
};

/** One of the element's hooks below one of an ancestor that stands alone. */
const belowAnchor = (element: Element, hooks: readonly string[], own: OwnNames): string | undefined => {
  for (const ancestor of ancestorsOf(element)) {
    const anchors = hooksOf(ancestor, own).filter((hook) => hook !== "body" && isOnly(hook, ancestor));
    for (const anchor of anchors) {
      for (const combinator of [" ", " > "]) {
        const found = hooks.map((hook) => anchor + combinator + hook).find((selector) => isOnly(selector, element));
        if (found) {
          return found;
        }
      }
    }
  }
  return undefined;
};

/** The way from the nearest ancestor that stands alone, or from the root, by the places among siblings. */
const counted = (element: Element, own: OwnNames, by: "nth-of-type" | "nth-child"): string => {
  const steps: string[] = [];
  let place: Element | null = element;
  let anchor = ":root";
  while (place && genuine(place, "parentElement")) {
    const here: Element = place;
    const known = here !== element && hooksOf(here, own).find((hook) => isOnly(hook, here));
    if (known) {
      anchor = known;
      break;
    }
    steps.unshift(stepTo(here, by));
    place = genuine(here, "parentElement");
  }
  const selector = [anchor, ...steps].join(" > ");
  return by === "nth-child" || isOnly(selector, element) ? selector : "";
};

const stepTo = (element: Element, by: "nth-of-type" | "nth-child"): string => {
  const tag = tagOf(element);
  const parent = genuine(element, "parentElement");
  const siblings = parent ? [...genuine(parent, "children")] : [element];
  const counting = by === "nth-child" ? siblings : siblings.filter((other) => tagOf(other) === tag);
  return counting.length === 1 ? tag : `${tag}:${by}(${counting.indexOf(element) + 1})`;
};

const ancestorsOf = (element: Element): Element[] => {
  const ancestors: Element[] = [];
  let parent = genuine(element, "parentElement");
  while (parent && ancestors.length < ANCESTORS_MAX) {
    ancestors.push(parent);
    parent = genuine(parent, "parentElement");
  }
  return ancestors;
};

const isOnly = (selector: string, element: Element): boolean => {
  const found = genuine(document, "querySelectorAll")(selector);
  return found.length === 1 && found[0] === element;
};

const tagOf = (element: Element): string => escaped(genuine(element, "localName"));

/** A name as CSS writes it. */
const escaped = (name: string): string =>
  name.replace(/^-?\d|^-$|[^\w-]/gu, (sign) => [...sign].map((one) => (one === "-" && sign.length > 1 ? one : `\\${(one.codePointAt(0) || 0).toString(16)} `)).join(""));

const quoted = (value: string): string => `"${value.replace(/["\\\n\r\f]/g, (sign) => `\\${sign.charCodeAt(0).toString(16)} `)}"`;
