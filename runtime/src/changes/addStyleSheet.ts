/**
 * Adds a style sheet to the page, and tells whether it is still there. A constructed one passes a content security policy without
 * `unsafe-inline` for styles; browsers that cannot adopt one, and sheets that import others, which constructed ones may not, get a
 * `style` element.
 */

import type { ChangeRecord } from "./ChangeRecord";

export const addStyleSheet = (css: string, record: ChangeRecord): (() => boolean) => {
  if ("adoptedStyleSheets" in document && !css.includes("@import")) {
    const sheet = new CSSStyleSheet();
    sheet.replaceSync(css);
    document.adoptedStyleSheets = [...document.adoptedStyleSheets, sheet];
    record.removeStyleSheet = () => {
      document.adoptedStyleSheets = [...document.adoptedStyleSheets].filter((other) => other !== sheet);
    };
    return () => document.adoptedStyleSheets.includes(sheet);
  }
  const style = document.createElement("style");
  style.textContent = css;
  (document.head || document.documentElement).append(style);
  record.removeStyleSheet = () => style.remove();
  return () => style.isConnected;
};
