/** `Array`, whatever the page has made of the name. The linked program has no other: see ../main.ts. */

export const Array = [].constructor as unknown as ArrayConstructor;
