/** A text, as what addNodes.ts adds. An empty one is no node at all. */

export const textFragment = (text: string): DocumentFragment => {
  const fragment = document.createDocumentFragment();
  fragment.append(text);
  return fragment;
};
