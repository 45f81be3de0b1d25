/**
 * Properties of the node itself, even if markup shadows them. `<img name=head>`, or a form's field named `parentNode`, hides
 * the browser's own: markup that any visitor may have written must neither lead our code astray nor end it.
 */

import { Object } from "./builtins";

/** A project of which nothing is seen asks for cookies and texts alone. */
const asksForMethods = __CAMPAIGNS__ || __PAGES__ || __PREVIEW__ || __RESULTS__;

/**
 * What a node of the page has itself under a name: used wherever the node can be the document or a form. Markup makes nothing but objects
 * of properties, so that any other value stands. Methods come bound.
 */
export const genuine = <N extends Node, Name extends keyof N & string>(node: N, name: Name): N[Name] => {
  const given = node[name];
  if (Object(given) !== given) {
    return given;
  }
  const own: unknown = Reflect.get(Object.getPrototypeOf(node) as object, name, node);
  return (asksForMethods && typeof own === "function" ? own.bind(node) : own) as N[Name];
};

/** Sets the document's own property: one that an element of the page shadows cannot be assigned. See `genuine`. */
export const setGenuine = <Name extends keyof Document & string>(name: Name, value: Document[Name]): boolean =>
  Reflect.set(Object.getPrototypeOf(document) as object, name, value, document);
