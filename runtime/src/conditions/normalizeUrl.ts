/** Makes two spellings of an address compare equal: no scheme, lower case, nothing empty at its end. The port counts. */

export const normalizeUrl = (url: string): string =>
  url
    .replace("/?", "?")
    .toLowerCase()
    .replace(/[/&?]+$/, "")
    .replace(/^https?:\/\//, "");
