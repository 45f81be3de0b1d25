/** HTML of the page without the marks by which copies of what we inserted are known. */

export const unmarked = (html = ""): string => html.replace(/ data-experimentation="[^"]*"/g, "");
