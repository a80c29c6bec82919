// SPDX-License-Identifier: Apache-2.0
// The way over a page of the provider: authorization code with PKCE (RFC 9700 section 2.1).

const requestLifetime = 3_600_000;

/** Keeps what belongs to one request, and forgets those from which people have turned back. */
async function keepRequest({ store }, state, request) {
  const changes = { [`redirect/${state}`]: request };
  for (const name of await store.names("redirect")) {
    const age = Date.now() - (await store.read(name))?.startedAt;
    if (!(age >= 0 && age < requestLifetime)) changes[name] = null;
  }
  await store.write(changes);
}

async function browserRequest(book, {
  scopes = book.configuration.scopes, redirectURI = book.configuration.redirectURI,
  returnTo = location.href, persistence = "kept", prompt, loginHint, acrValues, maxAge, uiLocales,
}) {
  if (!redirectURI) {
    throw new IdentityError("registration", "configurationInvalid", "redirectURI is missing");
  }
  if (!["kept", "ephemeral"].includes(persistence)) {
    throw new IdentityError("registration", "configurationInvalid", "persistence is neither");
  }
  const { metadata } = await book.connection.documents();
  const [state, nonce, verifier] = [random(16), random(16), random(32)];
  await keepRequest(book, state, {
    nonce, verifier, redirectURI, returnTo, persistence, startedAt: Date.now(),
  });
  const query = new URLSearchParams({
    response_type: "code", client_id: book.configuration.clientID, redirect_uri: redirectURI,
    scope: scopes.join(" "), state, nonce, code_challenge_method: "S256",
    code_challenge: encode(await sha256(utf8.encode(verifier))),
  });
  const wishes = {
    prompt, login_hint: loginHint, acr_values: acrValues?.join(" "), max_age: maxAge,
    ui_locales: uiLocales?.join(" "),
  };
  for (const [name, value] of Object.entries(wishes)) {
    if (value !== undefined) query.set(name, String(value));
  }
  return `${metadata.authorization_endpoint}?${query}`;
}

/** The answer is read once: neither the history nor a reload has it again. */
function takeAnswer(address) {
  const url = new URL(address);
  const answer = new URLSearchParams(url.search);
  if (!answer.has("state") || !(answer.has("code") || answer.has("error"))) return null;
  for (const name of ["code", "state", "iss", "error", "error_description"]) {
    url.searchParams.delete(name);
  }
  if (address === location.href) history.replaceState(history.state, "", url);
  return answer;
}

async function completeInBrowser(book, address) {
  const domain = "registration";
  const answer = takeAnswer(address);
  if (!answer) return null;
  const mismatch = (reason) => new IdentityError(domain, "redirectMismatch", reason);
  const request = await book.store.take(`redirect/${answer.get("state")}`);
  if (!request) throw mismatch("the answer belongs to no request of this browser");
  const { metadata } = await book.connection.documents();
  // RFC 9207 section 2.4.
  const says = metadata.authorization_response_iss_parameter_supported === true;
  if ((says || answer.has("iss")) && answer.get("iss") !== metadata.issuer) {
    throw mismatch("the answer is another provider's");
  }
  if (answer.has("error")) {
    const name = answer.get("error");
    throw new IdentityError(
      domain, codesByName[name] ?? "requestInvalid", answer.get("error_description") ?? name,
      { serverCode: name });
  }
  const owner = request.persistence === "ephemeral" ? book.guest() : book;
  const tokens = await owner.keys.lend((key) => owner.connection.tokens({
    grant_type: "authorization_code", code: answer.get("code"),
    redirect_uri: request.redirectURI, code_verifier: request.verifier,
  }, { key, nonce: request.nonce, domain }));
  return Object.freeze({ ...await owner.enter(tokens, "oidc"), returnTo: request.returnTo });
}
