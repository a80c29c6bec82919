// SPDX-License-Identifier: Apache-2.0
// Passkeys on pages: registration, sign-in by button, and sign-in from the user-name field's
// autofill. Everything else on the pages works without this file.

const root = document.querySelector("[data-passkeys]");
const words = root?.dataset ?? {};
let pending = null; // the one WebAuthn call under way; a new one ends it

const decode = (text) => {
  const base64 = text.replaceAll("-", "+").replaceAll("_", "/");
  return Uint8Array.from(atob(base64), (letter) => letter.charCodeAt(0));
};

const encode = (buffer) => {
  let text = "";
  for (const byte of new Uint8Array(buffer)) text += String.fromCharCode(byte);
  return btoa(text).replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
};

const descriptors = (list) => list?.map((item) => ({ ...item, id: decode(item.id) }));

const creationOptions = (json) => ({
  ...json,
  challenge: decode(json.challenge),
  user: { ...json.user, id: decode(json.user.id) },
  excludeCredentials: descriptors(json.excludeCredentials) ?? [],
});

const requestOptions = (json) => ({
  ...json,
  challenge: decode(json.challenge),
  allowCredentials: descriptors(json.allowCredentials) ?? [],
});

const registrationJSON = (credential) => ({
  id: credential.id,
  rawId: encode(credential.rawId),
  type: credential.type,
  authenticatorAttachment: credential.authenticatorAttachment ?? undefined,
  clientExtensionResults: credential.getClientExtensionResults(),
  response: {
    clientDataJSON: encode(credential.response.clientDataJSON),
    attestationObject: encode(credential.response.attestationObject),
    transports: credential.response.getTransports?.() ?? [],
  },
});

const assertionJSON = (credential) => ({
  id: credential.id,
  rawId: encode(credential.rawId),
  type: credential.type,
  authenticatorAttachment: credential.authenticatorAttachment ?? undefined,
  clientExtensionResults: credential.getClientExtensionResults(),
  response: {
    clientDataJSON: encode(credential.response.clientDataJSON),
    authenticatorData: encode(credential.response.authenticatorData),
    signature: encode(credential.response.signature),
    userHandle: credential.response.userHandle
      ? encode(credential.response.userHandle)
      : undefined,
  },
});

// A refusal of the server: its text is for the person, in their language.
class Refused extends Error {
  constructor(problem) {
    super(problem.detail);
    this.location = problem.location;
  }
}

async function post(path, body) {
  const response = await fetch((words.prefix ?? "") + path, {
    method: "POST",
    credentials: "same-origin",
    headers: { "Content-Type": "application/json", Accept: "application/json" },
    body: JSON.stringify(body),
  });
  const answer = await response.json().catch(() => ({ detail: words.failed }));
  if (!response.ok) throw new Refused(answer);
  return answer;
}

function say(text) {
  const place = root.querySelector("[data-alerts]");
  place.replaceChildren();
  if (!text) return;
  const box = document.createElement("div");
  box.className = "alert";
  box.setAttribute("role", "alert");
  const line = document.createElement("p");
  line.textContent = text;
  box.append(line);
  place.append(box);
}

function explain(error) {
  if (error instanceof Refused) return error.message;
  switch (error?.name) {
    case "AbortError": return null; // we ended it ourselves
    case "NotAllowedError": return words.cancelled;
    case "InvalidStateError": return words.exists;
    case "NotSupportedError":
    case "ConstraintError": return words.unsupported;
    case "SecurityError": return words.insecure;
    case "TypeError": return words.offline;
    default: return words.failed;
  }
}

function begin() {
  pending?.abort();
  pending = new AbortController();
  return pending.signal;
}

async function attempt(button, ceremony) {
  button.disabled = true;
  button.setAttribute("aria-busy", "true");
  say(null);
  try {
    const answer = await ceremony();
    location.assign(answer.location);
  } catch (error) {
    if (error instanceof Refused && error.location) return location.assign(error.location);
    say(explain(error));
    button.disabled = false;
    button.removeAttribute("aria-busy");
    button.focus();
    if (button.dataset.action === "passkey-sign-in") autofill();
  }
}

const field = (name) => root.querySelector(`[name="${name}"]`)?.value?.trim() || undefined;

function registrationBody(isAddition) {
  if (isAddition) return { next: words.next || undefined, continue: words.continue || undefined };
  return {
    username: field("username"), name: field("name"), email: field("email"),
    setup: words.setup || undefined, continue: words.continue || undefined,
  };
}

async function register(isAddition) {
  const signal = begin();
  const { ceremony, publicKey } = await post(
    "/webauthn/registration/options", registrationBody(isAddition));
  const credential = await navigator.credentials.create({
    publicKey: creationOptions(publicKey), signal,
  });
  return post("/webauthn/registration/verify", {
    ceremony, credential: registrationJSON(credential),
    next: words.next || undefined, continue: words.continue || undefined,
  });
}

async function signIn(mediation, onChosen) {
  const signal = begin();
  const { ceremony, publicKey } = await post("/webauthn/sign-in/options", {});
  if (signal.aborted) throw new DOMException("", "AbortError");
  const credential = await navigator.credentials.get({
    publicKey: requestOptions(publicKey), signal, mediation,
  });
  onChosen?.();
  return post("/webauthn/sign-in/verify", {
    ceremony, credential: assertionJSON(credential),
    continue: words.continue || undefined, next: words.next || undefined,
  });
}

// Offers passkeys in the user-name field's list; ends quietly when another way is taken.
async function autofill() {
  const input = root.querySelector('[autocomplete~="webauthn"]');
  if (!input || !(await PublicKeyCredential.isConditionalMediationAvailable?.())) return;
  let isChosen = false;
  try {
    const answer = await signIn("conditional", () => { isChosen = true; });
    location.assign(answer.location);
  } catch (error) {
    // Before anyone chose a passkey nobody has asked for anything: no word about it.
    if (isChosen) say(explain(error));
    if (isChosen && error instanceof Refused) autofill();
  }
}

function start() {
  for (const part of root.querySelectorAll("[data-needs-passkeys]")) part.hidden = false;
  for (const button of root.querySelectorAll('[data-action="passkey-register"]')) {
    button.addEventListener("click", () => {
      const isAddition = "add" in button.dataset;
      if (!isAddition && !root.querySelector("#username").reportValidity()) return;
      attempt(button, () => register(isAddition));
    });
  }
  for (const button of root.querySelectorAll('[data-action="passkey-sign-in"]')) {
    button.addEventListener("click", () => attempt(button, () => signIn()));
  }
  addEventListener("pagehide", () => pending?.abort());
  autofill();
}

if (root && window.PublicKeyCredential) start();
