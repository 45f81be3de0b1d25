/** HTML and text of the member, as nodes for a place in the page. */

import { attempt } from "../browser/attempt";
import { genuine } from "../browser/genuine";

interface TrustedTypes {
  createPolicy(name: string, rules: { createHTML: (html: string) => string }): { createHTML(html: string): string };
}

declare const trustedTypes: TrustedTypes;

const rules = { createHTML: (text: string): string => text };

let policy: typeof rules | undefined;

/**
 * Parses the member's HTML for a place in the page. A `template` parses any content, table rows included, and runs nothing; what stands
 * in a drawing or a formula has to be parsed in one. A page of XML has it parsed as XML, as all of it is, and where it is none, or lacks the namespaces that XML
 * requires for drawings, as HTML. Pages that enforce Trusted Types need a policy that vouches for it: ours does, for what the
 * member published.
 */
export const fragmentOf = (html: string, context: Element): DocumentFragment => {
  const namespace = genuine(context, "namespaceURI") || "";
  const [around] = (genuine(context, "localName") !== "foreignObject" && /svg$|math/i.exec(namespace)) || [];
  const text = trusted(around ? `<${around} xmlns="${namespace}">${html}</${around}>` : html);
  const parsedBy = (create: Document["createElement"]): DocumentFragment => {
    const template = create("template");
    template.innerHTML = text;
    return genuine(document, "importNode")(template.content, true);
  };
  const own = /<(svg|math)(?![^>]* xmlns)/.test(html) ? undefined : attempt(() => parsedBy(genuine(document, "createElement")));
  const fragment = own || parsedBy((name: string) => genuine(document, "implementation").createHTMLDocument("").createElement(name));
  if (around) {
    fragment.firstElementChild?.replaceWith(...fragment.firstElementChild.childNodes);
  }
  return fragment;
};

/** A second policy of the same name may be refused: we make one. Where it is refused already, a text may still pass. */
const trusted = (html: string): string => {
  policy ||= attempt(() => trustedTypes.createPolicy("experimentation", rules)) || rules;
  return policy.createHTML(html);
};

/**
 * Nodes together, and out of the page if they stood there: an app that goes on with one of them still finds the others beside it. A text
 * becomes a node; an empty one is none at all.
 */
export const fragmentWith = (nodes: readonly (Node | string)[]): DocumentFragment => {
  const fragment = genuine(document, "createDocumentFragment")();
  fragment.append(...nodes);
  return fragment;
};
