/** `Number`, whatever the page has made of the name. The linked program has no other: see ../main.ts. */

export const Number = (0).constructor as unknown as NumberConstructor;
