/** Style sheets of the member. */

import { Object } from "../browser/builtins";
import { genuine, setGenuine } from "../browser/genuine";
import type { ChangeRecord } from "./records";

/**
 * Adds a style sheet to the page, and returns whether it is still there. A constructed one passes a content security policy without
 * `unsafe-inline` for styles; browsers that cannot adopt one, and sheets that import others, which constructed ones may not, get a
 * `style` element.
 */
export const addStyleSheet = (css: string, record: ChangeRecord): (() => boolean) => {
  if ("adoptedStyleSheets" in Object.getPrototypeOf(document) && !css.includes("@import")) {
    const sheet = new CSSStyleSheet();
    sheet.replaceSync(css);
    const adopted = (): CSSStyleSheet[] => [...genuine(document, "adoptedStyleSheets")];
    setGenuine("adoptedStyleSheets", [...adopted(), sheet]);
    record.removeStyleSheet_ = () =>
      setGenuine(
        "adoptedStyleSheets",
        adopted().filter((other) => other !== sheet),
      );
    return () => adopted().includes(sheet);
  }
  const style = genuine(document, "createElement")("style");
  style.textContent = css;
  (genuine(document, "head") || genuine(document, "documentElement")).append(style);
  record.removeStyleSheet_ = () => style.remove();
  return () => style.isConnected;
};
