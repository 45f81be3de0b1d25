/** Where the visitor's entry is stored, and how it is read. `saveVisitor` writes it. */

import { decodePercent } from "../browser/address";
import { attempt } from "../browser/attempt";
import { projectId, revision } from "../project/config";
import { addTexts, newTable } from "./memory";

/** The one name under which a project keeps anything: in local storage for the visitor, in session storage for the tab. */
export const storageKey = "experimentation:" + projectId;

/**
 * The visitor's entry in local storage: `version|visitor id|key,text,key,text…|`, the keys and texts of `memory`. It is not JSON, since old
 * libraries change how arrays and texts are written as JSON.
 *
 * Of many campaigns, what was given in them comes last, after `UNREAD`, and once more, for pages of the same revision, after the entry's
 * end: `…|revision|places`.
 */
interface StoredEntry {
  /** Empty where another version wrote the entry, or it was cut off before its end: it counts for nothing. */
  readonly id_: string;
  readonly memory_: Record<string, string>;
  /** Of many campaigns: what `memory_` leaves out, in its stored form, and what tells the same of this revision. See `givenPlace`. */
  readonly unread?: string;
  readonly places?: string;
  /** Reads into `memory_` what was left out. */
  readonly readAll?: () => void;
}

/** Stands in the entry before what may be left unread. No text is empty, so that there is nothing like it. */
export const UNREAD = ",,,";

/** Empty if there is none. */
export const storedEntry = (): StoredEntry | "" => {
  const text = attempt(() => localStorage.getItem(storageKey)) || "";
  const [version, id, texts, end] = text.split("|");
  const memory = newTable();
  const isWhole = version === "2" && end === "";
  const pairs = isWhole ? (__MANY_CAMPAIGNS__ ? texts.split(UNREAD)[0] : texts).split(",") : [];
  for (let at = 1; at < pairs.length; at += 2) {
    memory[pairs[at - 1]] = pairs[at];
  }
  return text && { id_: isWhole ? decodePercent(id) : "", memory_: memory, ...(__MANY_CAMPAIGNS__ && isWhole && unreadPart(text, memory)) };
};

/** Of many campaigns: what `memory` was read without. */
const unreadPart = (text: string, memory: Record<string, string>): Partial<StoredEntry> => {
  const [, , texts, , of, places = ""] = text.split("|");
  const [, unread = ""] = texts.split(UNREAD);
  return { unread, places: of === revision ? places : "", readAll: () => addTexts(memory, unread) };
};
