// SPDX-License-Identifier: Apache-2.0
// How somebody signs in by this browser's key, and how tokens are renewed.

/** The browser's own key as the way to sign in. */
export const deviceKey = "deviceKey";

/** RFC 7523 section 2.1. */
const assertion = (token, scopes) => ({
  grant_type: "urn:ietf:params:oauth:grant-type:jwt-bearer", assertion: token,
  ...scopes && { scope: scopes.join(" ") },
});

/**
 * docs/registration.md, "Signing in": the key signs a nonce of the provider's. As a device the
 * installation speaks of itself, and of nobody who uses it.
 */
async function tokensByKey(
  { store, connection }, profile, { scopes, signal, isDevice = false }, domain,
) {
  const pair = profile.key && await store.read(`key/${profile.key}`);
  if (!pair || !profile.keyID) {
    throw new IdentityError(domain, "authenticatorNotRegistered", "the profile has no key");
  }
  const { body: challenge } = await connection.registration(
    "sign_in_challenge", { method: "POST", signal }, domain);
  const who = isDevice ? profile.installationID : profile.userID;
  const claims = {
    iss: who, sub: who, aud: challenge.audience, jti: challenge.nonce,
    exp: Math.floor(connection.now / 1000) + 240,
  };
  const typ = isDevice ? "device-session+jwt" : "JWT";
  const header = { alg: "ES256", typ, kid: profile.keyID };
  const proof = await sign(json(claims), header, pair.privateKey);
  return connection.tokens(
    assertion(proof, scopes),
    {
      key: { name: profile.key, pair }, subject: isDevice ? undefined : profile.userID, domain,
      signal,
    });
}

/** Signs somebody in, asking nobody. */
async function signIn(book, method, { profileID, signal }) {
  const domain = "authentication";
  const { scopes } = book.configuration;
  if (method === deviceKey) {
    const profile = await book.stored(profileID);
    return book.signedIn(profile, await tokensByKey(book, profile, { scopes, signal }, domain));
  }
  const credential = await method.credential();
  const tokens = await book.keys.lend((key) => book.connection.tokens(
    assertion(credential, scopes), { key, domain, signal }));
  return (await book.enter(tokens, method.method)).session;
}

/**
 * Tokens that another tab has renewed meanwhile, or new ones. Of all tabs one at a time, so that a
 * refresh token is used once.
 */
function renew(book, { id }, { validFor, known, replacing }) {
  return book.locked(`session ${id}`, undefined, async () => {
    try {
      const kept = await book.store.read(`tokens/${id}`);
      // Whoever was signed out stays so until they, or the app for them, sign in.
      if (!kept) throw over("they are signed out");
      const newest = kept.generation >= (known?.generation ?? 0) ? kept : known;
      const isNewer = newest.generation > (replacing?.generation ?? -1);
      if (isNewer && isGood(newest, validFor)) return newest;
      const profile = await book.stored(id);
      const tokens = await obtain(book, profile, newest);
      const numbered = { ...tokens, generation: newest.generation + 1 };
      // They are good, whether or not the store takes them now.
      await book.store.write({
        [`tokens/${id}`]: numbered,
        ...book.keys.without(newest.key, profile, numbered),
      }).catch(() => {});
      if (sorted(entitlementsOf(newest)) !== sorted(entitlementsOf(numbered))) {
        book.tell("entitlementschanged", { profile: shown(profile) });
      }
      return numbered;
    } catch (error) {
      await tellOfFailure(book, id, error);
      throw error;
    }
  });
}

/** The same text for the same, in whatever order it came. */
const sorted = (values) => JSON.stringify(Object.entries(values ?? {}).sort());

async function tellOfFailure(book, id, error) {
  const isOver = error.code === "notSignedIn" || error.code === "notRegistered";
  const profile = await book.stored(id).catch(() => undefined);
  if (!profile) return;
  if (isOver) book.tell("signedout", { profile: shown(profile), reason: "refused" });
  else book.tell("refreshfailed", { profile: shown(profile), error: error.code });
}

const over = (reason, serverCode) =>
  new IdentityError("authentication", "notSignedIn", reason, { serverCode });

/** Revoked, expired or used twice. */
const isGrantDead = (error) =>
  error instanceof IdentityError
  && (error.serverCode === "invalid_grant" || error.code === "keyUnavailable");

async function obtain(book, profile, tokens) {
  const domain = "authentication";
  if (tokens.refreshToken) {
    try {
      const fresh = await book.connection.tokens(
        { grant_type: "refresh_token", refresh_token: tokens.refreshToken },
        { key: await book.keys.find(tokens.key), subject: profile.userID, domain });
      // RFC 6749 section 6: without a new one the old one stays.
      return {
        ...fresh, refreshToken: fresh.refreshToken ?? tokens.refreshToken,
        idToken: fresh.idToken ?? tokens.idToken, claims: fresh.claims ?? tokens.claims,
        scope: fresh.scope || tokens.scope,
      };
    } catch (error) {
      // A key can still sign in.
      if (!isGrantDead(error)) throw error;
    }
  }
  if (!profile.keyID) throw over("the provider takes the refresh token no longer");
  const scopes = tokens.scope ? tokens.scope.split(" ") : book.configuration.scopes;
  try {
    return await tokensByKey(book, profile, { scopes }, domain);
  } catch (error) {
    throw isGrantDead(error)
      ? over("the provider takes the key no longer", error.serverCode) : error;
  }
}

/** Asks as somebody who is registered here; they are signed in for it by the key, unasked. */
async function askAsPerson(book, profileID, name, options, domain) {
  const profile = await book.stored(profileID);
  const byKey = () => signIn(book, deviceKey, { profileID: profile.id });
  let session;
  try {
    session = await book.session(profile.id);
    await session.accessToken();
  } catch (error) {
    if (error.code !== "notSignedIn" || !profile.keyID) throw error;
    session = await byKey();
  }
  try {
    return await askAs(session, book.connection, name, options, domain);
  } catch (error) {
    // Tokens of the provider's page are of no installation; those that its key gets are.
    if (error.serverCode !== "unknown_installation" || !profile.keyID) throw error;
    return askAs(await byKey(), book.connection, name, options, domain);
  }
}
