/** The campaign, experiment or audience with an id, from a list of the project's configuration. Each has its id first. */

export const itemById = <Item extends { readonly 0: number }>(items: readonly Item[], id: unknown): Item | undefined =>
  items.find((item) => String(item[0]) === String(id));
