/** Takes nodes out of the page, wherever they are. */

export const removeNodes = (nodes: readonly ChildNode[] = []): void => {
  for (const node of nodes) {
    node.remove();
  }
};
