/** By node of the page that a change took from its place: what stands there since, if anything does. See tolerate.ts. */

export const taken = new WeakMap<Node, ChildNode | null>();
