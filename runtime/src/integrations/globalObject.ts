/** The global that a tool is reached by. If the tool is not there yet, it is what the tool will find, as its own loader would leave it. */

import { globalNamed } from "../globalNamed";

export const globalObject = <T>(name: string, substitute: () => T): T => {
  const globals = window as unknown as Record<string, unknown>;
  return (globals[name] = globalNamed(name) || substitute()) as T;
};
