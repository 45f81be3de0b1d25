/** Parts of the panel are made anew when what they show changes. The focus stays where the member has it. */

const CONTROLS = "button, input, textarea, select, summary, [tabindex]";

/** Shows other elements in a part. If a control there has the focus, the new one of that name gets it, or else the nearest to its place. */
export const showAnew = (root: ShadowRoot, part: HTMLElement, ...children: readonly HTMLElement[]): void => {
  const before = controlsOf(part);
  const place = before.findIndex((control) => control === root.activeElement);
  const name = before[place] && nameOf(before[place]);
  part.replaceChildren(...children);
  if (name === undefined) {
    return;
  }
  const distance = (control: HTMLElement, at: number): number => (nameOf(control) === name ? -1 : Math.abs(at - place));
  const nearest = controlsOf(part)
    .map((control, at) => ({ control, distance: distance(control, at) }))
    .sort((one, other) => one.distance - other.distance);
  // A disabled button does not take the focus, nor does what is in closed details.
  nearest.some(({ control }) => {
    control.focus();
    return control === root.activeElement;
  });
};

const controlsOf = (part: HTMLElement): HTMLElement[] => [...part.querySelectorAll<HTMLElement>(CONTROLS)];

const nameOf = (control: HTMLElement): string => control.getAttribute("aria-label") || (control.closest("label") || control).textContent || "";
