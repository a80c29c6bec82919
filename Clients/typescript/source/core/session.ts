// SPDX-License-Identifier: Apache-2.0
// The session of a person.
import { Authorizing, Wanted } from "./authorizing.js";
import type { Context } from "./context.js";
import type { Entitlements } from "./entitlements.js";
import { IdentityError } from "./errors.js";
import type { Claims } from "./id-token.js";
import type { JSONObject } from "./jws.js";
import type { Tokens } from "./provider.js";
import { renew } from "./renewal.js";
import type { ServiceSession } from "./session-calls.js";
import type { Exchange } from "./transport.js";
import type { Profile } from "./types.js";

/** What few apps call is loaded when it is called. */
const calls = () => import("./session-calls.js");

/** The session of a signed-in person. It stays the same object when the person signs in again. */
export class Session extends Authorizing {
  #profile: Profile;

  /** @internal */
  constructor(context: Context, profile: Profile) {
    super(context);
    this.#profile = profile;
  }

  get profile(): Profile { return this.#profile; }

  /** @internal The record of the profile has changed. */
  update(profile: Profile): void { this.#profile = profile; }

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
  async stepUp(
    to: string | readonly string[], options: { maxAge?: number; signal?: AbortSignal } = {},
  ): Promise<void> {
    const { stepUp } = await import("./step-up.js");
    return stepUp(this.context, this, typeof to === "string" ? [to] : to, options);
  }

  /** @internal */
  protected override async stepUpFor(
    { acrValues, maxAge }: { acrValues: string[]; maxAge: number | undefined },
  ): Promise<boolean> {
    if (!this.context.settings.stepsUp) return false;
    // The service does not accept the present token, so what the ID token says is not enough.
    const { stepUp } = await import("./step-up.js");
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
    return (await calls()).exchange(this, audience, options);
  }

  /** A URL that signs this person in to another browser, once (docs/registration.md). */
  async webHandoff(target: string | URL): Promise<{ url: string; expiresAt: Date }> {
    return (await calls()).webHandoff(this, target);
  }

  /** Named rights and limits of the person: of the newest access token, or asked for now. */
  async entitlements(options: { fresh?: boolean } = {}): Promise<Entitlements | undefined> {
    return (await calls()).entitlements(this, options);
  }

  /** Consumes an amount; with the same key, a UUID, at most once. Returns what remains. */
  async consume(
    name: string, options: { amount?: number; idempotencyKey: string },
  ): Promise<number> {
    return (await calls()).consume(this, name, options);
  }
}
