/**
 * What to remember about the visitor beside their variations (seenVariations.ts), oldest first. Filled by loadVisitor.ts, changed through
 * memorize.ts, and written back by saveVisitor.ts; where the browser refuses to store, it lasts for the page view. The keys:
 * - `c<campaign id>`: what its last decision was beside the variation, as rememberDecision.ts writes it
 * - `g<group id>`: the campaign given in a group of mutually exclusive ones
 * - `a<attribute id>`: a custom attribute; by name where the project does not know it; both percent-encoded
 * - `ok`: set if the visitor consented to being remembered
 * - `utm`, `ref`, `dev`, `kind`, `ver`, `src`: what noteVisitor.ts keeps of where the visitor was first seen, percent-encoded
 * - `ses`: whether this is the visitor's first session; see noteSession.ts
 * - `sid`: when the session began, and when it was last asked for; see sessionId.ts
 * - `b<name>`: when the visitor did something that a condition asks for; see noteBehavior.ts
 * - `day`: when the cookie was last renewed, in days since 1970
 * - `domain`: the one that took the cookie
 * - `tab`: set if any tab of the visitor may have a note; see tabNote.ts
 */

/** No `Map`, since pages have their own; without a prototype, it has nothing but what is in it. */
export const memory = { __proto__: null } as unknown as Record<string, string>;
