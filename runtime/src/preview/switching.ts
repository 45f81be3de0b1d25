/** What the panel of a preview does to the tab: other variations, audiences, and the end. Each loads the page anew. */

import { attempt } from "../browser/attempt";
import { PREVIEW_AUDIENCES } from "../visitor/forced";

const TOKEN = "experimentation_preview";

/** Shows these variations instead, as far as the link allows: the server looks. */
export const loadVariations = (token: string, ids: readonly string[]): void => {
  // A chosen token is one part longer than a link's.
  const [link] = /^(?:[^.]+\.){3}[^.]+/.exec(token) || [token];
  leaveWith(link + "." + ids.join("-"));
};

/** Counts the person as in these audiences. */
export const chooseAudiences = (ids: readonly string[]): void => {
  attempt(() => sessionStorage.setItem(PREVIEW_AUDIENCES, ids.join()));
  location.reload();
};

/** Shows what visitors see again. */
export const endPreview = (): void => {
  attempt(() => sessionStorage.removeItem(PREVIEW_AUDIENCES));
  leaveWith("");
};

/** The token in the address counts before the tab's. */
const leaveWith = (token: string): void => {
  attempt(() => (token ? sessionStorage.setItem(TOKEN, token) : sessionStorage.removeItem(TOKEN)));
  const address = location.href.replace(/([?&])experimentation_preview=[^&#]*(&?)/, (_, before: string, after: string) =>
    token ? before + TOKEN + "=" + token + after : after ? before : "",
  );
  if (address === location.href) {
    location.reload();
  } else {
    location.replace(address);
  }
};
