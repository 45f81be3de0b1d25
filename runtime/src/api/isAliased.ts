/** Whether the global has other names, too: then integrations written for another product's interface may read what nobody else does. */

import { globalAliases } from "../config";

export const isAliased = __GLOBAL_ALIASES__ && globalAliases.length > 0;
