// SPDX-License-Identifier: Apache-2.0
// The sessions of people and of devices.
import { Authorizing, Wanted } from "./authorizing.js";
import type { Context } from "./context.js";
import { Entitlements, entitlementsOf } from "./entitlements.js";
import { IdentityError, invalid } from "./errors.js";
import type { Claims } from "./id-token.js";
import type { JSONObject } from "./jws.js";
import type { Tokens } from "./provider.js";
import { renew } from "./renewal.js";
import { stepUp } from "./step-up.js";
import type { Exchange } from "./transport.js";
import type { Profile } from "./types.js";

const accessTokenType = "urn:ietf:params:oauth:token-type:access_token";
const tokenExchange = "urn:ietf:params:oauth:grant-type:token-exchange";

/** Tokens for one service or for a device. They end with the session from which they came. */
export class ServiceSession extends Authorizing {
  readonly #obtain: () => Promise<Tokens>;

  /** @internal */
  constructor(context: Context, tokens: Tokens, obtain: () => Promise<Tokens>) {
    super(context);
    this.tokens = tokens;
    this.#obtain = obtain;
  }

  /** @internal */
  protected override renew(): Promise<Tokens> { return this.#obtain(); }
}

/** The session of a signed-in person. It stays the same object when the person signs in again. */
export class Session extends Authorizing {
  profile: Profile;

  /** @internal */
  constructor(context: Context, profile: Profile) {
    super(context);
    this.profile = profile;
  }

  /** @internal */
  protected override renew(wanted: Wanted): Promise<Tokens> {
    return renew(this.context, this.profile, this.tokens, wanted);
  }

  /** The ID token, for a service that requires it. */
  get idToken(): string | undefined { return this.tokens?.idToken; }

  /** The claims of the verified ID token; `undefined` without the scope `openid`. */
  get claims(): Claims | undefined { return this.tokens?.claims; }

  /** One claim of the verified ID token. */
  claim<T = unknown>(name: string): T | undefined { return this.claims?.[name] as T | undefined; }

  /**
   * Authenticates the person so that `acr` is at least one of these classes, for example `phr`,
   * and not older than `maxAge` seconds. Returns at once if that is so already.
   */
  stepUp(
    to: string | readonly string[], options: { maxAge?: number; signal?: AbortSignal } = {},
  ): Promise<void> {
    return stepUp(this.context, this, typeof to === "string" ? [to] : to, options);
  }

  /** @internal */
  protected override async stepUpFor(
    { acrValues, maxAge }: { acrValues: string[]; maxAge: number | undefined },
  ): Promise<boolean> {
    if (!this.context.settings.stepsUp) return false;
    // The service does not accept the present token, so what the ID token says is not enough.
    await stepUp(this.context, this, acrValues, { maxAge, isForced: true });
    return true;
  }

  /** @internal Sends a request to a named endpoint of the provider as this person. */
  async send(
    name: string, exchange: Exchange & { section?: string; path?: string } = {},
  ): Promise<JSONObject> {
    const authorize = (method: string, url: string, nonce: string | undefined) =>
      this.headers(method, url, nonce);
    const send = () => this.context.provider.send(name, { ...exchange, authorize });
    try { return await send(); } catch (error) {
      if (!(error instanceof IdentityError && error.serverCode === "not_signed_in")) throw error;
      // The access token is revoked; the grant may be active.
      try { await this.refresh(); } catch { throw error; }
      return send();
    }
  }

  /** Tokens for another service of the operator (RFC 8693). */
  async exchange(
    audience: string, options: { scopes?: readonly string[]; signal?: AbortSignal } = {},
  ): Promise<ServiceSession> {
    const obtain = async (signal?: AbortSignal): Promise<Tokens> => {
      await this.accessToken();
      const tokens = this.tokens;
      if (tokens === undefined) throw new IdentityError("notSignedIn", "signed out");
      const key = tokens.key === undefined ? undefined : await this.context.key(tokens.key);
      return this.context.provider.grant({
        grant_type: tokenExchange, audience, subject_token: tokens.accessToken,
        subject_token_type: accessTokenType, scope: options.scopes?.join(" "),
      }, { key, signal });
    };
    return new ServiceSession(this.context, await obtain(options.signal), obtain);
  }

  /** A URL that signs this person in to another browser, once (docs/registration.md). */
  async webHandoff(target: string | URL): Promise<{ url: string; expiresAt: Date }> {
    const sentAt = this.context.services.now();
    const { url, expires_in: life } = await this.send(
      "web_handoff", { method: "POST", json: { target: String(target) } });
    const isOwn = typeof url === "string" && url.startsWith(`${this.context.settings.issuer}/`);
    if (!isOwn || typeof life !== "number") throw invalid("the hand-off is incomplete");
    const seconds = Math.min(Math.max(life, 0), 3600);
    return { url, expiresAt: new Date(sentAt + seconds * 1000) };
  }

  /** Named rights and limits of the person: of the newest access token, or asked for now. */
  async entitlements(
    { fresh = false }: { fresh?: boolean } = {},
  ): Promise<Entitlements | undefined> {
    if (fresh) {
      const now: unknown = await this.send("entitlements", { section: "entitlements" });
      return now as Entitlements;
    }
    await this.accessToken();
    const effective = entitlementsOf(this.tokens);
    return effective && { effective };
  }

  /** Consumes an amount; with the same key, a UUID, at most once. Returns what remains. */
  async consume(
    name: string, { amount = 1, idempotencyKey }: { amount?: number; idempotencyKey: string },
  ): Promise<number> {
    const id = idempotencyKey.toLowerCase();
    const consume = () => this.send("consume", {
      section: "entitlements", method: "POST", json: { request_id: id, name, amount },
    });
    const used = await consume().catch((error: unknown) => {
      if (!(error instanceof IdentityError && error.code === "notReachable")) throw error;
      return consume();
    });
    const { remaining } = used;
    const isOurs = used["request_id"] === id && used["name"] === name && used["amount"] === amount;
    if (!isOurs || typeof remaining !== "number") throw invalid("the response is of another call");
    return remaining;
  }
}
