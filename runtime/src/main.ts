/** Where the snippet begins: api/install.ts takes the global name, api/start.ts does the rest. */

import { install } from "./api/install";

install();
