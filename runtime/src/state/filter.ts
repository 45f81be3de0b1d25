/** Filters of the state module. */

/** The states of those items that have one, and that a filter selects, by id. `Filter` in types/index.d.ts says what a filter may be. */
export const selected = <T, S extends { id: string }>(items: Iterable<T>, stateOf: (item: T) => S | undefined, filter?: unknown): Record<string, S> => {
  const result: Record<string, S> = {};
  for (const item of items) {
    const state = stateOf(item);
    if (state && isSelected(state, filter)) {
      result[state.id] = state;
    }
  }
  return result;
};

/** Something truthy if it is. */
const isSelected = (state: { id: string }, filter: unknown): unknown => {
  if (typeof filter === "function") {
    return filter(state, state.id);
  }
  return !filter || (typeof filter === "string" ? (state as Record<string, unknown>)[filter] : isPartOf(filter, state));
};

/** Whether both are the same, or `whole` has all properties of `part`, to any depth. */
const isPartOf = (part: unknown, whole: unknown): boolean => {
  return isRecord(part) && isRecord(whole)
    ? Object.keys(part).every((key) => key in whole && isPartOf(part[key], whole[key]))
    : part === whole;
};

const isRecord = (value: unknown): value is Record<string, unknown> => Object(value) === value;
