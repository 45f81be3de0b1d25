/** Where the visitor's entry is stored, and how it is read. `saveVisitor` writes it. */

import { decodePercent } from "../browser/address";
import { attempt } from "../browser/attempt";
import { projectId } from "../project/config";

/** The one name under which a project keeps anything: in local storage for the visitor, in session storage for the tab. */
export const storageKey = "experimentation:" + projectId;

/**
 * The visitor's entry in local storage: `version|visitor id|key,text,key,text…|experiment,variation,place,experiment,variation,place…|`.
 * It is not JSON, since old libraries change how arrays and texts are written as JSON.
 */
export interface StoredEntry {
  /** Empty where another version wrote the entry, or it was cut off before its end: it counts for nothing. */
  readonly id_: string;
  readonly memory_: Record<string, string>;
}

/** `undefined` if there is none. */
export const storedEntry = (): StoredEntry | undefined => {
  const text = attempt(() => localStorage.getItem(storageKey));
  if (!text) {
    return undefined;
  }
  const [version, id, texts, numbers, end] = text.split("|");
  const entry: StoredEntry = {
    id_: version === "1" && end === "" ? decodePercent(id) : "",
    memory_: { __proto__: null } as unknown as Record<string, string>,
  };
  if (!entry.id_) {
    return entry;
  }
  const pairs = texts.split(",");
  for (let at = 1; at < pairs.length; at += 2) {
    // Variations are separate.
    if (!(-pairs[at - 1] > 0)) {
      entry.memory_[pairs[at - 1]] = pairs[at];
    }
  }
  const triples = numbers.split(",").map(Number);
  while (triples.length > 0) {
    const [experimentId, variationId, place] = triples.splice(0, 3);
    // Anything but three numbers was not written by us.
    if (experimentId > 0 && variationId > 0 && place >= 0) {
      entry.memory_[-experimentId] = variationId + "," + place;
    }
  }
  return entry;
};
