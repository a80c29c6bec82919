// SPDX-License-Identifier: Apache-2.0
// Sessions for services and devices, and calls of a session that few apps use.
import { Authorizing } from "./authorizing.js";
import type { Context } from "./context.js";
import { Entitlements, entitlementsOf } from "./entitlements.js";
import { IdentityError, invalid } from "./errors.js";
import { jwtBearer, KeyOptions, tokensByKey } from "./key-sign-in.js";
import type { Tokens } from "./provider.js";
import type { ProfileRecord } from "./records.js";
import type { Session } from "./session.js";
import { enter } from "./signed-in.js";
import type { Evidence, Profile } from "./types.js";

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

/** RFC 8693 section 2.1. */
export async function exchange(
  session: Session, audience: string,
  options: { scopes?: readonly string[]; signal?: AbortSignal },
): Promise<ServiceSession> {
  const { context } = session;
  const obtain = async (signal?: AbortSignal): Promise<Tokens> => {
    await session.accessToken();
    const { tokens } = session;
    if (tokens === undefined) throw new IdentityError("notSignedIn", "signed out");
    const key = tokens.key === undefined ? undefined : await context.key(tokens.key);
    return context.provider.grant({
      grant_type: tokenExchange, audience, subject_token: tokens.accessToken,
      subject_token_type: accessTokenType, scope: options.scopes?.join(" "),
    }, { key, signal });
  };
  return new ServiceSession(context, await obtain(options.signal), () => obtain());
}

export async function webHandoff(
  session: Session, target: string | URL,
): Promise<{ url: string; expiresAt: Date }> {
  const { services, settings } = session.context;
  const sentAt = services.now();
  const { url, expires_in: life } = await session.send(
    "web_handoff", { method: "POST", json: { target: String(target) } });
  const isOwn = typeof url === "string" && url.startsWith(`${settings.issuer}/`);
  if (!isOwn || typeof life !== "number") throw invalid("the hand-off is incomplete");
  const seconds = Math.min(Math.max(life, 0), 3600);
  return { url, expiresAt: new Date(sentAt + seconds * 1000) };
}

export async function entitlements(
  session: Session, { fresh = false }: { fresh?: boolean },
): Promise<Entitlements | undefined> {
  if (fresh) {
    const now: unknown = await session.send("entitlements", { section: "entitlements" });
    return now as Entitlements;
  }
  await session.accessToken();
  const effective = entitlementsOf(session.tokens);
  return effective && { effective };
}

export async function consume(
  session: Session, name: string,
  { amount = 1, idempotencyKey }: { amount?: number; idempotencyKey: string },
): Promise<number> {
  const id = idempotencyKey.toLowerCase();
  const send = () => session.send("consume", {
    section: "entitlements", method: "POST", json: { request_id: id, name, amount },
  });
  const used = await send().catch((error: unknown) => {
    if (!(error instanceof IdentityError && error.code === "notReachable")) throw error;
    return send();
  });
  const { remaining } = used;
  const isOurs = used["request_id"] === id && used["name"] === name && used["amount"] === amount;
  if (!isOurs || typeof remaining !== "number") throw invalid("the response is of another call");
  return remaining;
}

/** A session by the key alone, of which nothing is stored. */
export async function keySession(
  context: Context, record: ProfileRecord, { signal, ...rest }: KeyOptions,
): Promise<ServiceSession> {
  const obtain = (limit?: AbortSignal) => tokensByKey(context, record, { ...rest, signal: limit });
  return new ServiceSession(context, await obtain(signal), () => obtain());
}

/** The installation signs in itself; the profile with whose key makes no difference. */
export async function deviceSession(
  context: Context, options: KeyOptions & { profile?: Profile },
): Promise<ServiceSession> {
  const { profile, ...rest } = options;
  const found = await context.find(profile);
  const others = profile === undefined ? (await context.profiles()).reverse() : [];
  const record = [found, ...others].find((one) => one?.installationID !== undefined && one.keyID);
  if (record === undefined) throw new IdentityError("notRegistered", "no registered key");
  return keySession(context, record, { ...rest, isDevice: true });
}

/** RFC 7523 section 2.1: an issuer's token signs in. */
export async function signInBy(
  context: Context, by: Evidence, scopes: readonly string[], signal: AbortSignal | undefined,
): Promise<Session> {
  const assertion = await by.credential?.();
  if (assertion === undefined) {
    throw new IdentityError("methodNotSupported", `${by.method} does not sign in`);
  }
  const key = await context.provider.bindsTokens() ? await context.makeKey() : undefined;
  let tokens: Tokens | undefined;
  try {
    const form = { grant_type: jwtBearer, assertion, scope: scopes.join(" ") };
    tokens = await context.provider.grant(form, { key, signal });
    return (await enter(context, tokens, by.method)).session;
  } finally { if (tokens?.key !== key?.name) await context.dropKeys([key?.name]); }
}
