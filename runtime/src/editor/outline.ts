/** Boxes around what is selected and what the pointer is at, wherever the page moves them. */

import { requestAnimationFrame } from "../browser/builtins";
import { genuine } from "../browser/genuine";
import { make } from "../browser/make";

/** Draws the boxes once a frame. */
export const outline = (root: ShadowRoot, selected: () => Element | undefined, hovered: () => Element | undefined): void => {
  const chosen = make("div", { className: "box hidden" }, make("span"));
  const pointed = make("div", { className: "box hover hidden" });
  root.append(pointed, chosen);
  const draw = (): void => {
    place(chosen, selected());
    place(pointed, hovered() === selected() ? undefined : hovered());
    requestAnimationFrame(draw);
  };
  draw();
};

const place = (box: HTMLElement, element: Element | undefined): void => {
  box.classList.toggle("hidden", !element);
  if (!element) {
    return;
  }
  const { left, top, width, height } = genuine(element, "getBoundingClientRect")();
  const { style } = box;
  style.transform = `translate(${left}px, ${top}px)`;
  style.left = style.top = "0";
  style.width = `${width}px`;
  style.height = `${height}px`;
  const words = box.firstElementChild;
  if (words) {
    words.textContent = genuine(element, "localName");
  }
};
