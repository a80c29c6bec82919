// SPDX-License-Identifier: Apache-2.0
// How the client talks to its provider.

const isProtected = (text) => {
  if (!URL.canParse(text)) return false;
  const url = new URL(text);
  if (url.username || url.password || url.hash) return false;
  const isHere = ["localhost", "127.0.0.1", "[::1]"].includes(url.hostname);
  return url.protocol === "https:" || (url.protocol === "http:" && isHere);
};

/** Finds the provider's addresses, asks, and makes errors of refusals. */
class Connection {
  #documents;
  /** Milliseconds to add to this machine's clock to have the provider's. */
  #offset = 0;

  constructor(configuration, store) {
    this.configuration = configuration;
    this.store = store;
  }

  get now() { return Date.now() + this.#offset; }

  /** However old: where tokens are asked for changes rarely, and renewing one is then one call. */
  async knownDocuments() {
    this.#documents ??= await this.store.read("provider").catch(() => undefined);
    return this.#documents ?? this.fetchDocuments();
  }

  /** From memory, from the provider, or, while that cannot be reached, however old they are. */
  async documents() {
    const kept = this.#documents ?? await this.store.read("provider").catch(() => undefined);
    const age = Date.now() - (kept?.fetchedAt ?? 0);
    if (kept && age >= 0 && age < 300_000) return (this.#documents = kept);
    try {
      return await this.fetchDocuments();
    } catch (error) {
      if (kept && isAboutTheWay(error)) return (this.#documents = kept);
      throw error;
    }
  }

  async fetchDocuments() {
    const { issuer } = this.configuration;
    const get = async (url) => (await this.ask(url, {}, "generic")).body;
    const [metadata, addresses] = await Promise.all([
      get(`${issuer}/.well-known/openid-configuration`), get(`${issuer}/.well-known/gatehouse`),
    ]);
    if (metadata.issuer !== issuer) throw invalid("the document is another issuer's");
    for (const name of ["authorization_endpoint", "token_endpoint", "jwks_uri"]) {
      if (!isProtected(metadata[name])) throw invalid(`${name} is missing or not protected`);
    }
    const keys = (await get(metadata.jwks_uri)).keys;
    if (!Array.isArray(keys)) throw invalid("the key set has no keys");
    this.#documents = {
      metadata, keys, addresses: addresses.registration ?? {},
      entitlements: addresses.entitlements ?? {}, fetchedAt: Date.now(),
    };
    await this.store.write({ provider: this.#documents }).catch(() => {});
    return this.#documents;
  }

  async address(name, domain, section = "addresses") {
    const url = (await this.documents())[section]?.[name];
    if (typeof url === "string" && url.startsWith(`${this.configuration.issuer}/`)) return url;
    throw new IdentityError(domain, "methodNotSupported", `the provider has no ${name}`);
  }

  /** Asks at one of the provider's named addresses, as this client. */
  async registration(name, options, domain) {
    const client = new URLSearchParams({ client_id: this.configuration.clientID });
    const url = await this.address(name, domain, options.section) + (options.path ?? "");
    return this.ask(`${url}?${client}`, options, domain);
  }

  /**
   * The answer and its JSON; what is no success is thrown. With `proved`, which makes headers, it
   * is asked once more when the provider wants its nonce in them.
   */
  async ask(url, { method = "GET", headers = {}, proved, body, signal }, domain, nonce) {
    const extra = await proved?.(method, url, nonce);
    const sent = { ...headers, ...extra };
    const limit = AbortSignal.timeout(this.configuration.timeoutSeconds * 1000);
    const isJSON = body !== undefined && !(body instanceof URLSearchParams);
    let answer, text;
    try {
      answer = await fetch(url, {
        method, headers: isJSON ? { ...sent, "Content-Type": "application/json" } : sent,
        body: isJSON ? JSON.stringify(body) : body, mode: "cors", credentials: "omit",
        cache: "no-store", redirect: "error", referrerPolicy: "no-referrer",
        signal: signal ? AbortSignal.any([signal, limit]) : limit,
      });
      text = await answer.text();
    } catch (cause) {
      if (signal?.aborted) {
        throw new IdentityError(domain, "cancelled", "it was cancelled", { cause });
      }
      throw new IdentityError(domain, "notReachable", `${url}: ${cause}`, { cause });
    }
    const date = Date.parse(answer.headers.get("date") ?? "");
    if (url.startsWith(`${this.configuration.issuer}/`) && !Number.isNaN(date)) {
      // Seconds, and on their way for a while: only a clock that is clearly wrong is corrected.
      const offset = date - Date.now();
      this.#offset = Math.abs(offset) > 60_000 ? offset : 0;
    }
    let read;
    try { read = text === "" ? undefined : JSON.parse(text); } catch { read = undefined; }
    if (proved && !nonce && wantsNonce(answer, read)) {
      const again = { method, headers, proved, body, signal };
      return this.ask(url, again, domain, answer.headers.get("dpop-nonce"));
    }
    if (!answer.ok) throw refusal(answer, read, domain);
    if (answer.status !== 204 && text !== "" && (typeof read !== "object" || read === null)) {
      throw unworded(answer, "generic");
    }
    return { status: answer.status, body: read ?? {} };
  }

  /** Sends a grant; gives tokens, bound to the key, whose ID token, if there is one, is verified. */
  async tokens(fields, { key, nonce, subject, domain, signal }) {
    const { metadata } = await this.knownDocuments();
    const sentAt = Date.now();
    const proved = key && bindsTokens(metadata) && (async (method, url, challenge) => ({
      DPoP: await proofOfPossession(key.pair, method, url, { nonce: challenge, now: this.now }),
    }));
    const { body } = await this.ask(metadata.token_endpoint, {
      method: "POST", signal, proved: proved || undefined,
      body: new URLSearchParams({ ...fields, client_id: this.configuration.clientID }),
    }, domain);
    const isBound = /^dpop$/i.test(body.token_type ?? "");
    const isUsable = isBound ? proved : /^bearer$/i.test(body.token_type ?? "");
    if (typeof body.access_token !== "string" || !isUsable) {
      throw invalid("the token response has no usable token");
    }
    const claims = body.id_token && await this.verify(body.id_token, { nonce, subject });
    if (!claims && nonce) throw invalid("the token response has no ID token");
    const seconds = Math.min(Math.max(Number(body.expires_in) || 0, 0), 31_536_000);
    return {
      accessToken: body.access_token, refreshToken: body.refresh_token, obtainedAt: sentAt,
      expiresAt: sentAt + seconds * 1000, scope: body.scope ?? "", idToken: body.id_token,
      claims, generation: 0, key: isBound ? key.name : undefined,
    };
  }

  /** OpenID Connect Core section 3.1.3.7. A key that is not known yet is looked for once more. */
  async verify(token, { nonce, subject }) {
    const parts = String(token).split(".");
    try {
      if (parts.length !== 3) throw invalid("not a compact JWS");
      const header = readJSON(parts[0]);
      if (!(header.alg in signing) || "crit" in header) throw invalid("another algorithm");
      const find = ({ keys }) => keys.find(({ kid, alg }) =>
        kid === header.kid && (alg ?? header.alg) === header.alg);
      const jwk = find(await this.knownDocuments()) ?? find(await this.fetchDocuments());
      if (!jwk) throw invalid("no such key");
      const key = await crypto.subtle.importKey("jwk", jwk, signing[header.alg], false, ["verify"]);
      const signed = utf8.encode(`${parts[0]}.${parts[1]}`);
      if (!await crypto.subtle.verify(signing[header.alg], key, decode(parts[2]), signed)) {
        throw invalid("the signature is wrong");
      }
      const claims = readJSON(parts[1]);
      const audiences = [claims.aud].flat();
      if (claims.iss !== this.configuration.issuer) throw invalid("another issuer");
      if (!audiences.includes(this.configuration.clientID)) throw invalid("another audience");
      if (!(claims.exp * 1000 > this.now - 60_000)) throw invalid("it has expired");
      if (!(claims.iat * 1000 < this.now + 60_000)) throw invalid("it is from the future");
      if (typeof claims.sub !== "string") throw invalid("nobody is named");
      if (nonce && claims.nonce !== nonce) throw invalid("that of another sign-in");
      if (subject && claims.sub !== subject) throw invalid("that of somebody else");
      return claims;
    } catch (cause) {
      if (isAboutTheWay(cause)) throw cause;
      throw new IdentityError(
        "generic", "invalidAnswer", `the ID token cannot be trusted: ${cause.reason ?? cause}`,
        { cause });
    }
  }
}
