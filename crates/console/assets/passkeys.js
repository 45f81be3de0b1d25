/**
 * Passkeys on the pages of the console, the only script that any of them runs. What has `data-passkey` is hidden until this browser is
 * known to have passkeys. Then its button fetches a question, lets a device answer, and sends the answer as a form, so that the page
 * which follows is one like any other. `crates/console/src/passkeys.rs` has the other side.
 */

const PURPOSES = {
  "sign-in": (options, further) => navigator.credentials.get({ publicKey: asked(options), ...further }),
  add: (options) => navigator.credentials.create({ publicKey: asked(options) }),
};

/** An open offer in the browser's list of names is asked for anew before its question is too old to be answered. */
const OFFER_LASTS_MS = 240_000;

const bytes = (text) => Uint8Array.from(atob(text.replaceAll("-", "+").replaceAll("_", "/")), (letter) => letter.charCodeAt(0));

const text = (buffer) =>
  btoa(String.fromCharCode(...new Uint8Array(buffer)))
    .replaceAll("+", "-")
    .replaceAll("/", "_")
    .replaceAll("=", "");

/** The options as browsers take them: with bytes where JSON has text. */
const asked = (options) => {
  const credentials = (list = []) => list.map((credential) => ({ ...credential, id: bytes(credential.id) }));
  return {
    ...options,
    challenge: bytes(options.challenge),
    ...(options.user ? { user: { ...options.user, id: bytes(options.user.id) } } : {}),
    ...(options.excludeCredentials ? { excludeCredentials: credentials(options.excludeCredentials) } : {}),
    ...(options.allowCredentials ? { allowCredentials: credentials(options.allowCredentials) } : {}),
  };
};

/** A device's answer as JSON. */
const answered = ({ id, rawId, type, response }) => {
  const names = ["clientDataJSON", "attestationObject", "authenticatorData", "signature", "userHandle"];
  const parts = names.filter((name) => response[name]).map((name) => [name, text(response[name])]);
  return { id, rawId: text(rawId), type, response: Object.fromEntries(parts), extensions: {} };
};

/** The error in words, with what the member can do. */
const words = (error) => {
  if (error.words) return error.words;
  if (error.name === "InvalidStateError") return "This device already has a passkey for your account.";
  if (error.name === "NotAllowedError") return "You chose nothing, or it took too long. Try again.";
  if (error.name === "SecurityError") return "The browser does not allow passkeys at this address.";
  return "That did not work. Reload the page and try again.";
};

/** A hidden value of this page's forms. */
const carried = (name) => document.querySelector(`input[name=${name}]`)?.value ?? "";

/** Why the server gives no challenge, in words. */
const REFUSALS = {
  proof_needed: "You signed in a while ago. Type your password, or sign in again.",
  wrong_password: "The password is wrong.",
  too_many_tries: "Too many attempts. Try again in a few minutes.",
};

const question = async (place) => {
  const password = place.querySelector("[data-proof]")?.value ?? "";
  const body = new URLSearchParams({ csrf: carried("csrf"), ...(password ? { password } : {}) });
  const response = await fetch(`${place.dataset.action}/question`, { method: "POST", body });
  if (response.ok) return response.json();
  const { code } = await response.json().catch(() => ({}));
  throw Object.assign(new Error("there is no question"), { words: REFUSALS[code] });
};

const send = (action, fields) => {
  const form = document.createElement("form");
  Object.assign(form, { method: "post", action, hidden: true });
  for (const [name, value] of Object.entries(fields)) {
    form.append(Object.assign(document.createElement("input"), { type: "hidden", name, value }));
  }
  document.body.append(form);
  form.submit();
};

/** Lets a device answer, and sends that. */
const ask = async (place, further) => {
  const { dataset } = place;
  const { options, ticket } = await question(place);
  const credential = await PURPOSES[dataset.passkey](options.publicKey, further);
  const fields = { csrf: carried("csrf"), return_to: carried("return_to"), ticket };
  send(dataset.action, { ...fields, credential: JSON.stringify(answered(credential)) });
};

/** Lets the browser offer passkeys where it offers names, until the button is used. */
const offer = async (place) => {
  if (!document.querySelector("[autocomplete~=webauthn]") || place.dataset.passkey !== "sign-in" || !(await PublicKeyCredential.isConditionalMediationAvailable?.())) return () => {};
  let current;
  const open = () => {
    current?.abort();
    current = new AbortController();
    // The member has not asked for it yet, so there is no message when it ends.
    ask(place, { mediation: "conditional", signal: current.signal }).catch(() => {});
  };
  const timer = setInterval(open, OFFER_LASTS_MS);
  open();
  return () => {
    clearInterval(timer);
    current.abort();
  };
};

const prepare = (place) => {
  let closing = offer(place);
  const alert = place.querySelector("[role=alert]");
  const button = place.querySelector("button");
  button.addEventListener("click", async () => {
    alert.hidden = true;
    button.disabled = true;
    (await closing)();
    await ask(place).catch((error) => {
      alert.textContent = words(error);
      alert.hidden = false;
      closing = offer(place);
    });
    button.disabled = false;
  });
  place.hidden = false;
};

if (window.PublicKeyCredential) document.querySelectorAll("[data-passkey]").forEach(prepare);
