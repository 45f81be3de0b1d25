/** Where something goes, seen from an element: also the name of the element's method that puts it there, but for the last. */

export type Position = "before" | "after" | "prepend" | "append" | "content";
