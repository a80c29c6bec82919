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
  #running;
  #isRenewingAhead = false;

  /** Sessions come from a client. */
  constructor(renew) { this.#renew = renew; }

  /** Who it is. */
  get profile() { return this.#profile; }

  /** The claims of the person's verified ID token; `undefined` without the scope `openid`. */
  get claims() { return this.#tokens?.claims; }

  /** An access token that is good for that many seconds; from memory when there is one. */
  async accessToken({ validFor = 30 } = {}) {
    let tokens = this.#tokens;
    if (!isGood(tokens, validFor)) {
      tokens = await this.#share({ validFor });
    } else if (Date.now() >= renewsAt(tokens) && !this.#isRenewingAhead) {
      this.#isRenewingAhead = true;
      // A failure is told as an event, and the token at hand still serves.
      this.refresh().catch(() => {}).finally(() => { this.#isRenewingAhead = false; });
    }
    return Object.freeze({
      value: tokens.accessToken, expiresAt: new Date(tokens.expiresAt),
      scopes: Object.freeze(tokens.scope.split(" ").filter(Boolean)),
    });
  }

  /** Has the tokens renewed, whatever is left of their life. */
  async refresh() { await this.#share({ validFor: 30, replacing: this.#tokens }); }

  /** What the person may do, by the newest access token; needs the scope `entitlements`. */
  async entitlements() {
    const { value } = await this.accessToken();
    return readJSON(value.split(".")[1] ?? "").entitlements;
  }

  /** `fetch` with an access token. After a 401 once more, with a new one. */
  async fetch(input, init) {
    const request = new Request(input, init);
    if (!isProtected(request.url.split("#")[0])) {
      throw new IdentityError("resource", "requestInvalid", "an access token goes over https only");
    }
    const send = async () => {
      const again = request.clone();
      again.headers.set("Authorization", `Bearer ${(await this.accessToken()).value}`);
      return fetch(again);
    };
    const answer = await send();
    if (answer.status !== 401) return answer;
    try { await this.refresh(); } catch { return answer; }
    return send();
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
