/** Where the visitor's entry is stored, and how it is read. `saveVisitor` writes it. */

import { decodePercent } from "../browser/address";
import { attempt } from "../browser/attempt";
import { projectId } from "../project/config";
import { newTable } from "./memory";

/** The one name under which a project keeps anything: in local storage for the visitor, in session storage for the tab. */
export const storageKey = "experimentation:" + projectId;

/**
 * The visitor's entry in local storage: `version|visitor id|key,text,key,text…|`, the keys and texts of `memory`. It is not JSON, since old
 * libraries change how arrays and texts are written as JSON.
 */
interface StoredEntry {
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
  const [version, id, texts, end] = text.split("|");
  const memory = newTable();
  const isWhole = version === "2" && end === "";
  const pairs = isWhole ? texts.split(",") : [];
  for (let at = 1; at < pairs.length; at += 2) {
    memory[pairs[at - 1]] = pairs[at];
  }
  return { id_: isWhole ? decodePercent(id) : "", memory_: memory };
};
