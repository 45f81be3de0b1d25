/** Builds elements of our own: of the panel of a preview, and of the editor. */

type Child = Node | string;

/** A new element with properties and children. */
export const make = <Tag extends keyof HTMLElementTagNameMap>(
  tag: Tag,
  properties: Partial<HTMLElementTagNameMap[Tag]> = {},
  ...children: readonly Child[]
): HTMLElementTagNameMap[Tag] => {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(properties)) {
    Reflect.set(element, name, value);
  }
  element.append(...children);
  return element;
};

/** A button that does something. */
export const button = (words: string, act: () => void, isDisabled = false): HTMLButtonElement =>
  make("button", { type: "button", onclick: act, disabled: isDisabled }, words);

/** A labelled field. `change` hears each of its values. */
export const lineField = (words: string, value: string, change: (value: string) => void, isDisabled = false): HTMLLabelElement => {
  const input = make("input", { value, disabled: isDisabled, spellcheck: false });
  input.oninput = () => change(input.value);
  return make("label", {}, words, input);
};

/** A labelled field of several lines. */
export const textField = (words: string, value: string, change: (value: string) => void, isDisabled = false): HTMLLabelElement => {
  const area = make("textarea", { value, disabled: isDisabled });
  area.oninput = () => change(area.value);
  return make("label", {}, words, area);
};

/** A labelled choice. */
export const choice = (words: string, options: Readonly<Record<string, string>>): { label: HTMLLabelElement; value: () => string } => {
  const select = make("select", {}, ...Object.entries(options).map(([value, text]) => make("option", { value }, text)));
  return { label: make("label", {}, words, select), value: () => select.value };
};
