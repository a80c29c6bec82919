// SPDX-License-Identifier: Apache-2.0
// Sessions, as pages hold them.

/** A clock that was put back must not keep a token alive for ever. */
const isGood = (tokens, seconds) => tokens !== undefined
  && Date.now() + 60_000 >= tokens.obtainedAt && Date.now() + seconds * 1000 < tokens.expiresAt;

/** In the last fifth of its life, a minute at least and ten at most. */
const renewsAt = ({ obtainedAt, expiresAt }) =>
  expiresAt - Math.min(Math.max((expiresAt - obtainedAt) / 5, 60_000), 600_000);

/** Somebody who is signed in. Keep it: it outlives sign-ins, and has a good token when asked. */
export class Session {
  #profile;
  #tokens;
  #renew;
  #keys;
  #running;
  #isRenewingAhead = false;

  /** Sessions come from a client. */
  constructor(renew, keys) { [this.#renew, this.#keys] = [renew, keys]; }

  /** Who it is. */
  get profile() { return this.#profile; }

  /** The claims of the person's verified ID token; `undefined` without the scope `openid`. */
  get claims() { return this.#tokens?.claims; }

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

  /** What the person may do, by the newest access token; needs the scope `entitlements`. */
  async entitlements() {
    const { value } = await this.accessToken();
    return readJSON(value.split(".")[1] ?? "").entitlements;
  }

  /** The request with an access token, and with the proof that goes with it; to be sent once. */
  async authorize(input, { nonce } = {}) {
    const request = new Request(input);
    if (!isProtected(request.url.split("#")[0])) {
      throw new IdentityError("resource", "requestInvalid", "an access token goes over https only");
    }
    const prove = (tokens) => this.#keys.headers(tokens, request.method, request.url, nonce);
    const tokens = await this.#current(30);
    const headers = await prove(tokens).catch(async (error) => {
      if (error.code !== "keyUnavailable") throw error;
      // Another tab has signed in again, and the key of these is gone.
      return prove(await this.#share({ validFor: 30, replacing: tokens }));
    });
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
        this.#tokens = await this.#renew(this.#profile, { ...wish, known: this.#tokens });
        return this.#tokens;
      } finally {
        this.#running = undefined;
      }
    })();
    return this.#running;
  }

  /** For the client alone. */
  adopt(tokens, profile = this.#profile, keepsTokens = false) {
    if (!keepsTokens) this.#tokens = tokens;
    this.#profile = profile;
  }
}
