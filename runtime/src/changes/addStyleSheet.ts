/**
 * Adds a style sheet to the page, and gives a function that takes it away. A constructed one passes a content security policy without
 * `unsafe-inline` for styles; browsers that cannot adopt one, and sheets that import others, which constructed ones may not, get a
 * `style` element.
 */

export const addStyleSheet = (css: string): (() => void) => {
  if ("adoptedStyleSheets" in document && !css.includes("@import")) {
    const sheet = new CSSStyleSheet();
    sheet.replaceSync(css);
    document.adoptedStyleSheets = [...document.adoptedStyleSheets, sheet];
    return () => {
      document.adoptedStyleSheets = [...document.adoptedStyleSheets].filter((other) => other !== sheet);
    };
  }
  const style = document.createElement("style");
  style.textContent = css;
  (document.head || document.documentElement).append(style);
  return () => style.remove();
};
