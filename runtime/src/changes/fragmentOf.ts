/**
 * Parses the member's HTML for a place in the page. A `template` parses any content, table rows included, and runs nothing; what stands
 * in a drawing has to be parsed in one. Pages that enforce Trusted Types
 * want to know who vouches for it: our policy does, for what the member published.
 */

import { attempt } from "../attempt";

interface TrustedTypes {
  createPolicy(name: string, rules: { createHTML: (html: string) => string }): { createHTML(html: string): string };
}

declare const trustedTypes: TrustedTypes;

const rules = { createHTML: (text: string): string => text };

let policy: typeof rules | undefined;

export const fragmentOf = (html: string, context: Element): DocumentFragment => {
  const template = document.createElement("template");
  const isDrawing = context.namespaceURI === "http://www.w3.org/2000/svg" && context.localName !== "foreignObject";
  template.innerHTML = trusted(isDrawing ? `<svg>${html}</svg>` : html);
  const fragment = document.importNode(template.content, true);
  if (isDrawing) {
    fragment.firstElementChild?.replaceWith(...fragment.firstElementChild.childNodes);
  }
  return fragment;
};

/** A second policy of the same name may be refused: we make one. Where it is refused already, a text may still pass. */
const trusted = (html: string): string => {
  policy ||= attempt(() => trustedTypes.createPolicy("experimentation", rules)) || rules;
  return policy.createHTML(html);
};
