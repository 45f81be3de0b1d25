/**
 * The page an authorization answer lands on, for the demo's OAuth application.
 * Shows the code (or the error) of the address, and takes it out of the address bar before anything else can see it.
 */

const answer = new URLSearchParams(location.search);
const here = location.origin + location.pathname;
if (location.search) history.replaceState(null, "", location.pathname);

/** What the error codes of RFC 6749 section 4.1.2.1 mean for the person reading. */
const REASONS = {
  access_denied: "You pressed Deny, so the demo application gets no access.",
  invalid_request: "The authorization request was not complete or said something twice.",
  invalid_scope: "The application asked for a permission that does not exist.",
  unauthorized_client: "This application may not ask for a code.",
  unsupported_response_type: "The application asked for something other than a code.",
  server_error: "The server met an error of its own.",
  temporarily_unavailable: "The server is too busy just now. Try again in a moment.",
};

/** An attacker can write this page's address, and the command is for a shell: only harmless characters may pass. */
const isShellSafe = (text) => /^[\w.~:/[\]-]+$/.test(text);

const safe = (value, placeholder) => (value && isShellSafe(value) ? value : placeholder);

const command = () =>
  [
    `curl '${new URL("../oauth2/token", here)}'`,
    "-d grant_type=authorization_code",
    `-d code=${safe(answer.get("code"), "$CODE")}`,
    `-d client_id=${safe(answer.get("client_id"), "$CLIENT_ID")}`,
    "-d client_secret=$CLIENT_SECRET",
    `--data-urlencode 'redirect_uri=${safe(here, "REDIRECT_URI")}'`,
  ].join(" \\\n  ");

const find = (id) => document.getElementById(id);

const showCode = () => {
  find("code").textContent = answer.get("code");
  find("command").textContent = command();
  find("granted").hidden = false;
};

const showError = () => {
  const error = answer.get("error");
  find("refused-reason").textContent = REASONS[error] ?? "The authorization server answered with an error.";
  find("refused-details").textContent = [error, answer.get("error_description")].filter(Boolean).join("\n");
  find("refused").hidden = false;
};

const copy = async (button) => {
  const source = find(button.dataset.copy);
  try {
    await navigator.clipboard.writeText(source.textContent);
    button.textContent = "Copied";
  } catch {
    // Without HTTPS there is no clipboard: select the text instead, so that one key copies it.
    getSelection().selectAllChildren(source);
    button.textContent = "Selected, press Ctrl+C";
  }
};

addEventListener("DOMContentLoaded", () => {
  if (answer.has("error")) showError();
  else if (answer.get("code")) showCode();
  else find("nothing").hidden = false;
  document.querySelectorAll("[data-copy]").forEach((button) => button.addEventListener("click", () => copy(button)));
});
