// SPDX-License-Identifier: Apache-2.0
// Sessions, as pages hold them.

/** A clock that was put back must not keep a token alive for ever. */
const isGood = (tokens, seconds) => tokens !== undefined
  && Date.now() + 60_000 >= tokens.obtainedAt && Date.now() + seconds * 1000 < tokens.expiresAt;

/** In the last fifth of its life, a minute at least and ten at most. */
const renewsAt = ({ obtainedAt, expiresAt }) =>
  expiresAt - Math.min(Math.max((expiresAt - obtainedAt) / 5, 60_000), 600_000);

// For this module alone: what somebody holds, and the headers that take it along.
const held = Symbol("tokens");
const proving = Symbol("proving");

/** Whoever holds tokens: has a good one when asked, and takes it along with requests. */
class RequestAuthorizing {
  #tokens;
  #renew;
  #keys;
  #running;
  #isRenewingAhead = false;

  constructor(renew, { keys }) { [this.#renew, this.#keys] = [renew, keys]; }

  get [held]() { return this.#tokens; }

  set [held](tokens) { this.#tokens = tokens; }

  /** An access token that is good for that many seconds; from memory when there is one. */
  async accessToken({ validFor = 30 } = {}) {
    const tokens = await this.#current(validFor);
    return Object.freeze({
      value: tokens.accessToken, expiresAt: new Date(tokens.expiresAt),
      scopes: Object.freeze(tokens.scope.split(" ").filter(Boolean)),
      isBoundToKey: tokens.key !== undefined,
    });
  }

  async #current(validFor) {
    let tokens = this.#tokens;
    if (!isGood(tokens, validFor)) {
      tokens = await this.#share({ validFor });
    } else if (Date.now() >= renewsAt(tokens) && !this.#isRenewingAhead) {
      this.#isRenewingAhead = true;
      // A failure is told as an event, and the token at hand still serves.
      this.refresh().catch(() => {}).finally(() => { this.#isRenewingAhead = false; });
    }
    return tokens;
  }

  /** Has the tokens renewed, whatever is left of their life. */
  async refresh() { await this.#share({ validFor: 30, replacing: this.#tokens }); }

  /** The headers of one request to that address. */
  async [proving](method, url, nonce) {
    const prove = (tokens) => this.#keys.headers(tokens, method, url, nonce);
    const tokens = await this.#current(30);
    return prove(tokens).catch(async (error) => {
      if (error.code !== "keyUnavailable") throw error;
      // Another tab has signed in again, and the key of these is gone.
      return prove(await this.#share({ validFor: 30, replacing: tokens }));
    });
  }

  /** The request with an access token, and with the proof that goes with it; to be sent once. */
  async authorize(input, { nonce } = {}) {
    const request = new Request(input);
    if (!isProtected(request.url.split("#")[0])) {
      throw new IdentityError("resource", "requestInvalid", "an access token goes over https only");
    }
    const headers = await this[proving](request.method, request.url, nonce);
    for (const [name, value] of Object.entries(headers)) request.headers.set(name, value);
    return request;
  }

  /** `fetch` with an access token. After a 401 once more, with a new one. */
  async fetch(input, init) {
    const request = new Request(input, init);
    const send = async (nonce) => fetch(await this.authorize(request.clone(), { nonce }));
    const nonceOf = (answer) => answer.headers.get("dpop-nonce") ?? undefined;
    let answer = await send();
    if (answer.status === 401 && this.#tokens?.key && nonceOf(answer)) {
      answer = await send(nonceOf(answer));
    }
    if (answer.status !== 401) return answer;
    try { await this.refresh(); } catch { return answer; }
    return send(nonceOf(answer));
  }

  /** One at a time: who comes while one is running gets its outcome. */
  #share(wish) {
    this.#running ??= (async () => {
      try {
        this.#tokens = await this.#renew({ ...wish, known: this.#tokens });
        return this.#tokens;
      } finally {
        this.#running = undefined;
      }
    })();
    return this.#running;
  }
}

/** The claim of tokens that have the scope; `undefined` for others. */
function entitlementsOf(tokens) {
  try {
    return readJSON(tokens.accessToken.split(".")[1]).entitlements;
  } catch {
    return undefined;
  }
}

/** Somebody who is signed in. Keep it: it outlives sign-ins, and has a good token when asked. */
export class Session extends RequestAuthorizing {
  #profile;
  #connection;
  #keys;

  /** Sessions come from a client. */
  constructor(renew, book) {
    super(renew, book);
    [this.#connection, this.#keys] = [book.connection, book.keys];
  }

  /** Who it is. */
  get profile() { return this.#profile; }

  /** The claims of the person's verified ID token; `undefined` without the scope `openid`. */
  get claims() { return this[held]?.claims; }

  /** What the person may do, by the newest access token; needs the scope `entitlements`. */
  async entitlements() {
    await this.accessToken();
    return entitlementsOf(this[held]);
  }

  /** What they may do now, and what is left of what is used up. Asks the provider each time. */
  async currentEntitlements() {
    const now = await askAs(
      this, this.#connection, "entitlements", { section: "entitlements" }, "resource");
    if (typeof now.effective !== "object" || typeof now.expendable !== "object") {
      throw invalid("the entitlements are incomplete");
    }
    const date = (text) => text === undefined ? undefined : new Date(text);
    const { name, started_at: startedAt, changes_at: changesAt } = now.sequence ?? {};
    return Object.freeze({
      effective: now.effective, expendable: now.expendable, set: now.set,
      sequence: name === undefined ? undefined : Object.freeze({
        name, startedAt: date(startedAt), changesAt: date(changesAt),
      }),
    });
  }

  /** Uses up some of an expendable one; with the same key, however often it is said, once. */
  async consume(name, { amount = 1, idempotencyKey } = {}) {
    if (typeof idempotencyKey !== "string") {
      throw new IdentityError("resource", "requestInvalid", "idempotencyKey is missing");
    }
    const id = idempotencyKey.toLowerCase();
    const ask = () => askAs(this, this.#connection, "consume", {
      section: "entitlements", method: "POST", body: { request_id: id, name, amount },
    }, "resource");
    const used = await ask().catch((error) => {
      if (error.code !== "notReachable") throw error;
      return ask();
    });
    const isOurs = used.request_id === id && used.name === name && used.amount === amount;
    if (!isOurs || !Number.isInteger(used.remaining)) {
      throw invalid("the answer is about another use");
    }
    return Object.freeze({ name, amount, remaining: used.remaining });
  }

  /** From the page to another browser or site: an address that signs this person in there, once. */
  async webHandoff(target) {
    const domain = "webHandoff";
    const sentAt = Date.now();
    const made = await askAs(this, this.#connection, "web_handoff", {
      method: "POST", body: { target: String(target) },
    }, domain);
    const { issuer } = this.#connection.configuration;
    const { url, expires_in: life } = made;
    if (typeof url !== "string" || !url.startsWith(`${issuer}/`) || !Number.isInteger(life)) {
      throw invalid("the address to the web is incomplete");
    }
    const seconds = Math.min(Math.max(life, 0), 3600);
    return Object.freeze({ url, expiresAt: new Date(sentAt + seconds * 1000) });
  }

  /** For another of the operator's services, in exchange for this session's token (RFC 8693). */
  async exchange(audience, { scopes, signal } = {}) {
    if (typeof audience !== "string") {
      throw new IdentityError("resource", "requestInvalid", "audience is missing");
    }
    const type = "urn:ietf:params:oauth:token-type:access_token";
    const obtained = async (limit) => {
      await this.accessToken();
      const { accessToken, key } = this[held];
      return this.#connection.tokens({
        grant_type: "urn:ietf:params:oauth:grant-type:token-exchange", audience,
        subject_token: accessToken, subject_token_type: type,
        ...scopes && { scope: scopes.join(" ") },
      }, { key: await this.#keys.find(key), domain: "resource", signal: limit });
    };
    const tokens = await obtained(signal);
    const session = new ServiceSession(() => obtained(undefined), { keys: this.#keys });
    session[held] = tokens;
    return session;
  }

  /** For the client alone. */
  adopt(tokens, profile = this.#profile, keepsTokens = false) {
    if (!keepsTokens) this[held] = tokens;
    this.#profile = profile;
  }
}

/** Somebody's tokens for another of the operator's services; they end with the session. */
export class ServiceSession extends RequestAuthorizing {}

/** This browser's installation, which has shown its key; nobody is signed in by it. */
export class DeviceSession extends RequestAuthorizing {}

/** Asks at one of the provider's named addresses, for who holds the session. */
async function askAs(session, connection, name, options, domain) {
  const proved = (method, url, nonce) => session[proving](method, url, nonce);
  const ask = async () =>
    (await connection.registration(name, { ...options, proved }, domain)).body;
  try {
    return await ask();
  } catch (error) {
    if (error.serverCode !== "not_signed_in") throw error;
    // What was withdrawn is renewed once; whoever is out says so.
    try { await session.refresh(); } catch { throw error; }
    return ask();
  }
}
