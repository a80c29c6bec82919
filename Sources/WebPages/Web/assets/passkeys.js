// SPDX-License-Identifier: Apache-2.0
// Passkeys and security keys on pages: registration, sign-in by button, sign-in from the user-name
// field's autofill, and word to the browser about keys that are gone. Everything else on the pages
// works without this file.

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

const credentialJSON = (credential, response) => ({
  id: credential.id,
  rawId: encode(credential.rawId),
  type: credential.type,
  authenticatorAttachment: credential.authenticatorAttachment ?? undefined,
  clientExtensionResults: credential.getClientExtensionResults(),
  response: { clientDataJSON: encode(credential.response.clientDataJSON), ...response },
});

const registrationJSON = (credential) => credentialJSON(credential, {
  attestationObject: encode(credential.response.attestationObject),
  transports: credential.response.getTransports?.() ?? [],
});

const assertionJSON = (credential) => credentialJSON(credential, {
  authenticatorData: encode(credential.response.authenticatorData),
  signature: encode(credential.response.signature),
  userHandle: credential.response.userHandle
    ? encode(credential.response.userHandle)
    : undefined,
});

// A refusal of the server: its text is for the person, in their language.
class Refused extends Error {
  constructor(problem) {
    super(problem.detail);
    this.location = problem.location;
    this.signal = problem.signal;
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

// Tells the browser what became of its keys (WebAuthn Level 3, 5.1.10), where it listens.
async function tell(method, argument) {
  try {
    await PublicKeyCredential[method]?.(argument);
  } catch {
    // A courtesy: nothing depends on it.
  }
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
    if (error?.signal) tell("signalUnknownCredential", error.signal);
    say(explain(error));
    button.disabled = false;
    button.removeAttribute("aria-busy");
    button.focus();
    if (button.dataset.action === "passkey-sign-in") autofill();
  }
}

const field = (name) => root.querySelector(`[name="${name}"]`)?.value?.trim() || undefined;

function registrationBody(isAddition, kind) {
  if (words.reregister) return { reregister: words.reregister, kind };
  if (isAddition) return { kind };
  return {
    username: field("username"), name: field("name"), email: field("email"),
    setup: words.setup || undefined, kind, registration: field("registration"),
    continue: words.continue || undefined,
  };
}

const destination = () => ({
  next: words.next || undefined, continue: words.continue || undefined,
  framed: words.framed || undefined,
});

async function create(body, mediation) {
  const signal = begin();
  const { ceremony, publicKey } = await post("/webauthn/registration/options", body);
  if (signal.aborted) throw new DOMException("", "AbortError");
  const credential = await navigator.credentials.create({
    publicKey: creationOptions(publicKey), signal, mediation,
  });
  return post("/webauthn/registration/verify", {
    ceremony, credential: registrationJSON(credential),
    reregister: words.reregister || undefined, ...destination(),
  });
}

async function signIn({ mediation, onChosen, question } = {}) {
  const signal = begin();
  const { ceremony, publicKey } = await post("/webauthn/sign-in/options", question ?? {});
  if (signal.aborted) throw new DOMException("", "AbortError");
  const credential = await navigator.credentials.get({
    publicKey: requestOptions(publicKey), signal, mediation,
  });
  onChosen?.();
  return post("/webauthn/sign-in/verify", {
    ceremony, credential: assertionJSON(credential), ...destination(),
  });
}

// Offers passkeys in the user-name field's list; ends quietly when another way is taken.
async function autofill() {
  const input = root.querySelector('[autocomplete~="webauthn"]');
  if (!input || !(await can("conditionalGet"))) return;
  let isChosen = false;
  try {
    const answer = await signIn({
      mediation: "conditional", onChosen: () => { isChosen = true; },
    });
    location.assign(answer.location);
  } catch (error) {
    if (error?.signal) tell("signalUnknownCredential", error.signal);
    // Before anyone chose a passkey nobody has asked for anything: no word about it.
    if (isChosen) say(explain(error));
    if (isChosen && error instanceof Refused) autofill();
  }
}

// What this browser can do (5.1.7); older ones that do not say are asked the older way.
let capabilities = null;
async function can(name) {
  capabilities ??= await (async () => {
    try {
      return (await PublicKeyCredential.getClientCapabilities?.()) ?? {};
    } catch {
      return {};
    }
  })();
  if (name in capabilities) return capabilities[name];
  if (name !== "conditionalGet") return false;
  return (await PublicKeyCredential.isConditionalMediationAvailable?.()) ?? false;
}

// Somebody came with a password and has no key: the browser may make one without a word. Asked
// once; the server remembers. Whatever comes of it, nobody is bothered.
async function offer() {
  if (!("offer" in words) || !(await can("conditionalCreate"))) return;
  try {
    const answer = await create({ conditional: true }, "conditional");
    location.assign(answer.location);
  } catch {
    // Not now.
  }
}

function onClick(action, ceremony) {
  for (const button of root.querySelectorAll(`[data-action="${action}"]`)) {
    button.addEventListener("click", () => ceremony(button));
  }
}

function register(kind) {
  return (button) => {
    const isAddition = "add" in button.dataset;
    if (!isAddition && !root.querySelector("#username").reportValidity()) return;
    attempt(button, () => create(registrationBody(isAddition, kind)));
  };
}

// A key that is too small to keep names is found by the name that was typed.
function signInByName(button) {
  const username = field("username");
  if (!username) {
    say(words.nameFirst);
    return root.querySelector("#username")?.focus();
  }
  attempt(button, () => signIn({ question: { username } }));
}

function signal() {
  if (!words.signals) return;
  const { accepted, details } = JSON.parse(words.signals);
  tell("signalAllAcceptedCredentials", accepted);
  tell("signalCurrentUserDetails", details);
}

function start() {
  for (const part of root.querySelectorAll("[data-needs-passkeys]")) part.hidden = false;
  onClick("passkey-register", register("passkey"));
  onClick("security-key-register", register("security_key"));
  onClick("security-key-sign-in", signInByName);
  onClick("passkey-sign-in", (button) => {
    const question = words.stepUp ? { step_up: words.stepUp } : {};
    attempt(button, () => signIn({ question }));
  });
  addEventListener("pagehide", () => pending?.abort());
  signal();
  autofill();
  offer();
}

if (root && window.PublicKeyCredential) start();
