/**
 * What a node of the page has itself under a name. `<img name=head>`, or a form's field named `parentNode`, stands before the browser's own:
 * markup that anybody may have written must neither lead our code astray nor end it. Used wherever the node can be the document or a form.
 */

import { Object } from "./builtins/Object";

interface Prototype {
  __lookupGetter__(name: string): (() => unknown) | undefined;
  readonly [name: string]: unknown;
}

/** Markup makes nothing but objects of properties: what is none stands, whoever made it so. Methods come bound. */
export const genuine = <N extends Node, Name extends keyof N & string>(node: N, name: Name): N[Name] => {
  const given = node[name];
  if (Object(given) !== given) {
    return given;
  }
  const prototype = Object.getPrototypeOf(node) as Prototype;
  const getter = prototype.__lookupGetter__(name);
  return (getter ? getter.call(node) : (prototype[name] as (...given: unknown[]) => unknown).bind(node)) as N[Name];
};
