// SPDX-License-Identifier: Apache-2.0
// Registers this browser with evidence (docs/registration.md): key, challenge, evidence, binding.
// Whatever is lost or closed on the way, doing it again with the same identifier comes to the same
// end.

function register(book, request, { idempotencyKey = crypto.randomUUID(), signal }) {
  const { method, boundTo } = request;
  return book.locked(`registration ${idempotencyKey}`, signal, async () => {
    const name = `pending/${idempotencyKey}`;
    const done = await earlierRegistration(book, name, method, idempotencyKey);
    if (done) return done;
    const pending = await begin(book, name, method, boundTo);
    try {
      const answer = await carryOut(book, { ...request, id: idempotencyKey, signal }, pending);
      return await finishRegistration(book, answer, pending, idempotencyKey);
    } catch (error) {
      // What was refused for certain leaves nothing behind; what may be registered is kept.
      if (!pending.isUncertain) {
        const key = pending.isBorrowed ? {} : { [`key/${pending.key}`]: null };
        await book.store.write({ [name]: null, ...key }).catch(() => {});
      }
      throw error;
    }
  });
}

/** What came of it, when it was done before and the page has only not heard of it. */
async function earlierRegistration(book, name, method, idempotencyKey) {
  if (await book.store.read(name)) return undefined;
  const profile = (await book.all()).find((one) => one.registrationID === idempotencyKey);
  if (!profile) return undefined;
  if (profile.method !== method) throw takenBy(profile.method);
  return Object.freeze({ profile: shown(profile), isNewProfile: false, method, idempotencyKey });
}

const takenBy = (method) => new IdentityError(
  "registration", "registrationIDTaken",
  `that idempotency key is for a registration by ${method}`);

/**
 * The registration as it was begun before, or a new one with a key of its own. Where the evidence
 * is a token that is bound to a key, that is the key: for another one it would not count.
 */
async function begin({ store }, name, method, boundTo) {
  const earlier = await store.read(name);
  if (earlier && earlier.method !== method) throw takenBy(earlier.method);
  if (earlier) return earlier;
  const isBorrowed = boundTo !== undefined;
  const pending = { method, key: boundTo ?? random(16), isBorrowed, isUncertain: false };
  const key = isBorrowed ? {} : { [`key/${pending.key}`]: await makeKey() };
  await store.write({ [name]: pending, ...key });
  return pending;
}

/** Until it is registered, or refused for good: a service of the operator's may ask again. */
async function carryOut(book, request, pending) {
  const { dialogue } = request;
  // Whoever may be registered already is not asked once more before that is known.
  if (!pending.isUncertain) await dialogue?.begin();
  for (;;) {
    const wasUncertain = pending.isUncertain;
    try {
      return await sendRegistration(book, request, pending);
    } catch (error) {
      const isCertain = error.serverCode !== undefined && !isAboutTheWay(error);
      if (isCertain) pending.isUncertain = wasUncertain;
      if (!isCertain || !await dialogue?.goOn(error)) throw error;
    }
  }
}

async function sendRegistration(book, { id, method, evidence, signal }, pending) {
  const { store, connection, configuration } = book;
  const domain = "registration";
  const { body: challenge } = await connection.registration(
    "challenge", { method: "POST", body: { method }, signal }, domain);
  if (typeof challenge.nonce !== "string") throw invalid("the challenge is incomplete");
  if (challenge.pin?.use === "required") {
    throw new IdentityError(
      domain, "pinRequired", "the project asks for a PIN, which no page can guard");
  }
  const pair = await store.read(`key/${pending.key}`);
  if (!pair) throw new IdentityError(domain, "keyUnavailable", "the registration's key is gone");
  const jwk = await publicJWK(pair);
  // SHA-256(nonce ‖ public key): the key as its canonical JSON, RFC 7638 section 3.1.
  const binding = await sha256(utf8.encode(challenge.nonce + JSON.stringify(jwk)));
  const proof = await sign(
    encode(binding), { alg: "ES256", typ: "app-key-proof" }, pair.privateKey);
  const { nonce, audience } = challenge;
  const shownEvidence = await evidence({ method, nonce, audience, binding });
  pending.isUncertain = true;
  await store.write({ [`pending/${id}`]: pending });
  const { body } = await connection.registration("register", {
    method: "POST", signal,
    body: {
      method, registration_id: id, nonce, evidence: shownEvidence, public_key: jwk,
      key_proof: proof, name: configuration.installationName,
    },
  }, domain);
  if (typeof body.user_id !== "string" || typeof body.installation_id !== "string") {
    throw invalid("the answer to the registration is incomplete");
  }
  return body;
}

/** Makes the profile, or gives the person's profile its new key, and forgets what is over. */
async function finishRegistration(book, answer, pending, idempotencyKey) {
  const earlier = await book.ofUser(answer.user_id);
  const profile = {
    id: earlier?.id ?? pending.key, userID: answer.user_id, username: answer.username,
    registeredAt: Date.parse(answer.registered_at), method: answer.method, key: pending.key,
    installationID: answer.installation_id, keyID: answer.key_id,
    registrationID: idempotencyKey,
  };
  const changes = {
    [`profile/${profile.id}`]: profile, current: profile.id, [`pending/${idempotencyKey}`]: null,
  };
  const tokens = earlier && await book.store.read(`tokens/${earlier.id}`);
  await book.store.write({ ...book.keys.without(earlier?.key, profile, tokens), ...changes });
  book.changed(profile);
  return Object.freeze({
    profile: shown(profile), isNewProfile: !earlier, method: answer.method, idempotencyKey,
    providerAnswer: payloadOf(answer),
  });
}

/** Registrations whose end is not known. */
async function pendingRegistrations({ store }) {
  const names = await store.names("pending");
  return Promise.all(names.map(async (name) => Object.freeze({
    idempotencyKey: name.slice("pending/".length), method: (await store.read(name))?.method,
  })));
}
