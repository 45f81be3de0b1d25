/** What nodes of text say they are. A page may have a `Node` of its own. */

export const TEXT_NODE = 3;
