/** Sets one style property of an element; `null` removes it. `!important` may stand at the value's end. Tells whether it is still so. */

import { genuine } from "../genuine";

export const setStyle = (element: Element, name: string, value: string | null): (() => boolean) => {
  const style = genuine(element as HTMLElement, "style");
  const [plain, important] = (value || "").split(/\s*!(?=important\s*$)/);
  style.setProperty(name, plain, important && "important");
  // The browser writes values its own way.
  const written = style.getPropertyValue(name);
  return () => style.getPropertyValue(name) === written;
};
