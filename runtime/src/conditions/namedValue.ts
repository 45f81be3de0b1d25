/** The first value of that name in a list of `name=value`; empty where it has none, `undefined` where the name is not there. */

export const namedValue = (list: string, separator: string, name: string): string | undefined =>
  list
    .split(separator)
    .find((pair) => pair.split("=")[0] === name)
    ?.slice(name.length + 1);
