// SPDX-License-Identifier: Apache-2.0
// Tokens in use: renewal in time, and the headers that authorize a request.
import type { Context } from "./context.js";
import { IdentityError } from "./errors.js";
import type { Tokens } from "./provider.js";
import { tokenHeaders } from "./token-headers.js";
import { isProtected } from "./transport.js";
import type { AccessToken } from "./types.js";

/** What a renewal must give. */
export interface Wanted {
  /** Milliseconds that the access token must be valid for. */
  readonly validFor: number;
  /** Tokens that are refused: renew them, whatever their expiry. */
  readonly replacing?: Tokens | undefined;
}

/** Whether tokens can be used. A clock that was set back does not prolong them. */
export const isValid = (tokens: Tokens, now: number, validFor: number): boolean =>
  now + 60_000 >= tokens.obtainedAt && now + validFor < tokens.expiresAt;

/** In the last fifth of their life: at least one minute, at most ten. */
const renewsAt = ({ obtainedAt, expiresAt }: Tokens): number =>
  expiresAt - Math.min(Math.max((expiresAt - obtainedAt) / 5, 60_000), 600_000);

/** RFC 9470 section 3: the required classes and age, if that is the challenge. */
export function stepUpChallenge(
  headers: Headers,
): { acrValues: string[]; maxAge: number | undefined } | undefined {
  const challenge = headers.get("www-authenticate") ?? "";
  const parameter = (name: string) =>
    new RegExp(`\\b${name}="?([^",]*)`).exec(challenge)?.[1] ?? "";
  if (parameter("error") !== "insufficient_user_authentication") return undefined;
  const age = parameter("max_age");
  return {
    acrValues: parameter("acr_values").split(" ").filter(Boolean),
    maxAge: /^\d+$/.test(age) ? Number(age) : undefined,
  };
}

/** A holder of tokens. */
export abstract class Authorizing {
  readonly #context: Context;
  #tokens: Tokens | undefined;
  #running: Promise<Tokens> | undefined;
  #isRenewingAhead = false;

  /** @internal */
  constructor(context: Context) { this.#context = context; }

  // Accessors, so that an object that is printed contains no token.

  /** @internal */
  get context(): Context { return this.#context; }

  /** @internal */
  get tokens(): Tokens | undefined { return this.#tokens; }

  /** @internal */
  set tokens(tokens: Tokens | undefined) { this.#tokens = tokens; }

  /** @internal Obtains tokens; called once at a time. */
  protected abstract renew(wanted: Wanted): Promise<Tokens>;

  /** An access token that is valid for some seconds: from memory, or after one renewal. */
  async accessToken({ validFor = 30 }: { validFor?: number } = {}): Promise<AccessToken> {
    const tokens = await this.#current(validFor * 1000);
    return Object.freeze({
      value: tokens.accessToken, expiresAt: new Date(tokens.expiresAt),
      scopes: Object.freeze(tokens.scope.split(" ").filter(Boolean)),
      isBoundToKey: tokens.key !== undefined,
    });
  }

  async #current(validFor: number): Promise<Tokens> {
    const { tokens } = this;
    const now = this.context.services.now();
    if (tokens === undefined || !isValid(tokens, now, validFor)) return this.#share({ validFor });
    if (now >= renewsAt(tokens) && !this.#isRenewingAhead) {
      this.#isRenewingAhead = true;
      // A failure is an event; the present token is still valid.
      this.refresh().catch(() => {}).finally(() => { this.#isRenewingAhead = false; });
    }
    return tokens;
  }

  /** Renews the tokens, whatever their expiry. */
  async refresh(): Promise<void> {
    await this.#share({ validFor: 30_000, replacing: this.tokens });
  }

  /** Callers during a renewal get its result. */
  #share(wanted: Wanted): Promise<Tokens> {
    this.#running ??= (async () => {
      try { return (this.tokens = await this.renew(wanted)); } finally {
        this.#running = undefined;
      }
    })();
    return this.#running;
  }

  /** @internal The headers of one request. */
  async headers(
    method: string, url: string, nonce: string | undefined,
  ): Promise<Record<string, string>> {
    const tokens = await this.#current(30_000);
    try { return await tokenHeaders(this.context, tokens, method, url, nonce); } catch (error) {
      if (!(error instanceof IdentityError && error.code === "keyUnavailable")) throw error;
      // Another tab signed in again, with another key.
      const newer = await this.#share({ validFor: 30_000, replacing: tokens });
      return tokenHeaders(this.context, newer, method, url, nonce);
    }
  }

  /**
   * The request with an access token and its proof, to send once. `nonce` is the service's
   * `DPoP-Nonce`, if `fetch` of this session does not know it.
   */
  async authorize(
    input: RequestInfo | URL, { nonce }: { nonce?: string } = {},
  ): Promise<Request> {
    const request = new Request(input);
    if (!isProtected(request.url.replace(/#.*$/, ""))) {
      throw new IdentityError("requestInvalid", "an access token is sent over https only");
    }
    const known = nonce ?? this.context.provider.transport.nonces.find(request.url);
    const headers = await this.headers(request.method, request.url, known);
    for (const [name, value] of Object.entries(headers)) request.headers.set(name, value);
    return request;
  }

  /**
   * `fetch` with an access token. After 401 it sends the request again: with the nonce that the
   * service requires, after a step-up that it requires, or with renewed tokens.
   */
  async fetch(input: RequestInfo | URL, init?: RequestInit): Promise<Response> {
    const request = new Request(input, init);
    const { nonces } = this.context.provider.transport;
    const send = async () => {
      const response = await this.context.services.fetch(await this.authorize(request.clone()));
      return { response, isNewNonce: nonces.update(request.url, response.headers) };
    };
    let { response, isNewNonce } = await send();
    // RFC 9449 section 9.
    if (response.status === 401 && isNewNonce && this.tokens?.key !== undefined) {
      ({ response } = await send());
    }
    if (response.status !== 401) return response;
    const challenge = stepUpChallenge(response.headers);
    if (challenge !== undefined) {
      return await this.stepUpFor(challenge) ? (await send()).response : response;
    }
    try { await this.refresh(); } catch { return response; }
    return (await send()).response;
  }

  /** @internal Authenticates the person as a service requires; `false` where it is not possible. */
  protected async stepUpFor(
    _challenge: { acrValues: string[]; maxAge: number | undefined },
  ): Promise<boolean> { return false; }
}
