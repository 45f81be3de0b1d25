/** An id and a name as the state module shows them. */

import type { NameIdObject } from "../../types/index";

export const nameIdOf = (id: number | string, name: number | string | null | undefined): NameIdObject => {
  return { id: String(id), name: (name as string) || null };
};
