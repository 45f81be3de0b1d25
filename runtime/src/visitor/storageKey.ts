/** The one name under which a project keeps anything: in local storage for the visitor, in session storage for the tab. */

import { projectId } from "../config";

export const storageKey = "experimentation:" + projectId;
