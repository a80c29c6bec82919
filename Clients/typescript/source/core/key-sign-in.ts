// SPDX-License-Identifier: Apache-2.0
// Signing in by the key of the installation, without a prompt (docs/registration.md, "Signing in").
import type { Context } from "./context.js";
import { IdentityError, invalid } from "./errors.js";
import { JSONObject, signClaims } from "./jws.js";
import type { Tokens } from "./provider.js";
import type { OpenedSecret } from "../pin/secret.js";
import type { ProfileRecord } from "./records.js";
import type { Session } from "./session.js";
import { signedIn } from "./signed-in.js";

export const jwtBearer = "urn:ietf:params:oauth:grant-type:jwt-bearer";

export interface KeyOptions {
  readonly scopes?: readonly string[] | undefined;
  readonly signal?: AbortSignal | undefined;
  /** `next` of an earlier response, which saves the request for a nonce. */
  readonly challenge?: JSONObject | undefined;
  /** Whether the installation signs in itself, without a person. */
  readonly isDevice?: boolean;
}

/** The key signs a nonce of the provider (RFC 7523 section 2.1). Two requests. */
export async function tokensByKey(
  context: Context, record: ProfileRecord,
  { scopes, signal, challenge, isDevice = false }: KeyOptions,
): Promise<Tokens> {
  const { provider } = context;
  if (record.key === undefined || record.keyID === undefined) {
    throw new IdentityError("authenticatorNotRegistered", "the profile has no sign-in key");
  }
  const key = await context.key(record.key);
  const { nonce, audience } = challenge
    ?? await provider.send("sign_in_challenge", { method: "POST", signal });
  if (typeof nonce !== "string") throw invalid("the challenge has no nonce");
  const subject = isDevice ? record.installationID : record.userID;
  const header = { typ: isDevice ? "device-session+jwt" : "JWT", kid: record.keyID };
  const assertion = await signClaims(key.key, header, {
    iss: subject, sub: subject, aud: audience, jti: nonce,
    exp: Math.floor(provider.transport.now / 1000) + 240,
  });
  return provider.grant(
    { grant_type: jwtBearer, assertion, scope: scopes?.join(" ") },
    { key, subject: isDevice ? undefined : record.userID, signal });
}

/** Signs a person in by the key. */
export async function signInByKey(
  context: Context, record: ProfileRecord,
  { scopes = context.settings.scopes, ...options }: KeyOptions = {},
): Promise<Session> {
  return signedIn(context, record, await tokensByKey(context, record, { scopes, ...options }));
}

/** Signs a person in by the key, or by the PIN if the profile has one. */
export async function signInAs(
  context: Context, record: ProfileRecord, options: KeyOptions, secret?: OpenedSecret,
): Promise<Session> {
  if (record.hasPIN !== true) return signInByKey(context, record, options);
  const { PINProfile } = await import("../pin/profile.js");
  const nonce = options.challenge?.["nonce"];
  return (await PINProfile.open(context, record)).signIn(
    options, secret, typeof nonce === "string" ? nonce : undefined);
}
