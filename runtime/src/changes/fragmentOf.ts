/**
 * Parses the member's HTML. A `template` parses any content, table rows included, and runs nothing. Pages that enforce Trusted Types
 * want to know who vouches for it: our policy does, for what the member published.
 */

interface TrustedTypes {
  createPolicy(name: string, rules: { createHTML: (html: string) => string }): { createHTML(html: string): string };
}

declare const trustedTypes: TrustedTypes | undefined;

let policy: { createHTML(html: string): string } | undefined;

export const fragmentOf = (html: string): DocumentFragment => {
  const template = document.createElement("template");
  template.innerHTML = trusted(html);
  return document.importNode(template.content, true);
};

/** A second policy of the same name may be refused: we make one. */
const trusted = (html: string): string => {
  if (!policy && typeof trustedTypes !== "undefined") {
    policy = trustedTypes.createPolicy("experimentation", { createHTML: (text) => text });
  }
  return policy ? policy.createHTML(html) : html;
};
