// SPDX-License-Identifier: Apache-2.0
// Tokens that are worth nothing without this browser's key (DPoP, RFC 9449).

const bindsTokens = ({ dpop_signing_alg_values_supported: algorithms }) =>
  Array.isArray(algorithms) && algorithms.includes("ES256");

/** Proof that whoever sends a request holds the key (section 4.2), for that request alone. */
async function proofOfPossession(pair, method, url, { accessToken, nonce, now }) {
  const claims = {
    jti: random(16), htm: method, htu: url.split(/[?#]/)[0], iat: Math.floor(now / 1000), nonce,
  };
  if (accessToken) claims.ath = encode(await sha256(utf8.encode(accessToken)));
  const header = { typ: "dpop+jwt", alg: "ES256", jwk: await publicJWK(pair) };
  return sign(json(claims), header, pair.privateKey);
}

/** Whether the same is to be asked again with a nonce (sections 8 and 9). */
const wantsNonce = (answer, body) => answer.headers.has("dpop-nonce")
  && (body?.error === "use_dpop_nonce"
    || (answer.headers.get("www-authenticate") ?? "").includes("use_dpop_nonce"));

/**
 * The keys that tokens are bound to. Tokens say by what name theirs is kept: it is the person's
 * own, that signs them in, or one that was made when nobody knew yet who would come.
 */
class TokenKeys {
  #store;
  #connection;

  constructor(store, connection) { [this.#store, this.#connection] = [store, connection]; }

  /** A new one; none where the provider binds nothing. */
  async make() {
    if (!bindsTokens((await this.#connection.knownDocuments()).metadata)) return undefined;
    const key = { name: random(16), pair: await makeKey() };
    await this.#store.write({ [`key/${key.name}`]: key.pair });
    return key;
  }

  /** That one; none without a name. */
  async find(name) {
    if (!name) return undefined;
    const pair = await this.#store.read(`key/${name}`);
    if (pair) return { name, pair };
    throw new IdentityError("authentication", "keyUnavailable", "the key of the tokens is gone");
  }

  /** What to write so that a key goes which neither the person's profile nor their tokens need. */
  without(name, profile, tokens) {
    return name && name !== profile?.key && name !== tokens?.key ? { [`key/${name}`]: null } : {};
  }

  /** A key for one sign-in: when the tokens are not bound to it, it is gone. */
  async lend(body) {
    const key = await this.make();
    let tokens;
    try {
      return tokens = await body(key);
    } finally {
      if (key && tokens?.key !== key.name) {
        await this.#store.write({ [`key/${key.name}`]: null }).catch(() => {});
      }
    }
  }

  /** The headers that take tokens along. Without a key they are for whoever has them. */
  async headers(tokens, method, url, nonce) {
    if (!tokens.key) return { Authorization: `Bearer ${tokens.accessToken}` };
    const { pair } = await this.find(tokens.key);
    return {
      Authorization: `DPoP ${tokens.accessToken}`,
      DPoP: await proofOfPossession(pair, method, url, {
        accessToken: tokens.accessToken, nonce, now: this.#connection.now,
      }),
    };
  }
}
