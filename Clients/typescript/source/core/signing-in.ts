// SPDX-License-Identifier: Apache-2.0
// Signing in and registering on a page of the provider, and requiring a session.
import { uuid } from "./bytes.js";
import { Context, registrationScope } from "./context.js";
import { cancelled, IdentityError } from "./errors.js";
import { signInAs } from "./key-sign-in.js";
import { openPage, PageResponse } from "./page.js";
import { PendingRecord, ProfileRecord, profileOf } from "./records.js";
import { registerInstallation } from "./registering.js";
import type { Session } from "./session.js";
import { enter, signedIn } from "./signed-in.js";
import { checkStepUp } from "./step-up.js";
import type { IdentityProvider, Profile, Registration, SignInOptions } from "./types.js";

/** The provider accepts a token of the page as evidence for ten minutes from the authentication. */
const evidenceAge = 300;

/** Reports the start and the failure of a sign-in to all listeners. */
export async function reporting<T>(
  context: Context, profile: Profile | undefined, body: () => Promise<T>,
): Promise<T> {
  context.notify({ type: "signingIn", ...profile && { profile } });
  try { return await body(); } catch (error) {
    const code = error instanceof IdentityError ? error.code : "unknown";
    context.notify({ type: "signInFailed", code });
    throw error;
  }
}

/** Whether the project registers installations by a token of its page (method `oidc`). */
async function installs(context: Context, scopes: readonly string[]): Promise<boolean> {
  const { gatehouse } = await context.provider.documents();
  const methods = gatehouse["registration"]?.["methods"];
  return scopes.includes(registrationScope)
    && gatehouse["registration"]?.["register"] !== undefined
    && (!Array.isArray(methods) || methods.includes("oidc"));
}

/** Registers a person on a page of the provider, and this installation with the same key. */
export async function registerOnPage(
  context: Context, options: SignInOptions, identityProvider?: IdentityProvider,
): Promise<Registration> {
  const scopes = options.scopes ?? context.settings.scopes;
  const isInstalling = await installs(context, scopes);
  const response = await openPage(context, {
    ...options, purpose: "register", identityProvider, installs: isInstalling,
    // The token of the page is evidence only: the installation gets tokens by its key.
    ...isInstalling && {
      scopes: scopes.filter((scope) => scope !== "offline_access"),
      maxAge: options.maxAge ?? evidenceAge,
    },
  });
  return finishPage(context, response, options.signal);
}

/** Signs a person in, whose profile exists, on a page of the provider. */
export async function signInOnPage(
  context: Context, profile: ProfileRecord, options: SignInOptions,
): Promise<Session> {
  const response = await openPage(context, { ...options, purpose: "signIn", profile });
  return (await finishPage(context, response, options.signal)).session;
}

/** What follows a response, at once or in the page to which the provider redirected. */
export async function finishPage(
  context: Context, { record, tokens }: PageResponse, signal?: AbortSignal,
): Promise<Registration> {
  const returnTo = record.returnTo;
  if (record.purpose === "register" && record.installs === true && record.key !== undefined) {
    const id = uuid(context.crypto);
    const pending: PendingRecord = {
      method: "oidc", key: record.key, accessToken: tokens.accessToken, isUncertain: false,
      returnTo, identityProvider: record.identityProvider,
    };
    await context.records.write({ [`pending/${id}`]: pending });
    return resume(context, id, signal);
  }
  if (record.purpose === "stepUp") checkStepUp(tokens.claims, record.acrValues ?? []);
  const stored = record.profileID === undefined ? undefined
    : await context.records.read<ProfileRecord>(`profile/${record.profileID}`);
  const { session, isNew } = stored === undefined
    ? await enter(context, tokens, "oidc")
    : { session: await signedIn(context, stored, tokens), isNew: false };
  return Object.freeze({
    profile: session.profile, session, isNew, ...returnTo !== undefined && { returnTo },
    ...record.identityProvider && { identityProvider: record.identityProvider },
  });
}

/** Continues a registration of a page. Without its token, it is found by identifier and key. */
export async function resume(
  context: Context, id: string, signal?: AbortSignal,
): Promise<Registration> {
  const pending = await context.records.read<PendingRecord>(`pending/${id}`);
  if (pending?.method !== "oidc") {
    throw new IdentityError("requestInvalid", "register again with this idempotencyKey");
  }
  const evidence = {
    method: "oidc", evidence: async () => ({ access_token: pending.accessToken ?? "" }),
  };
  return registerInstallation(context, { id, evidence, signal });
}

/** Tokens, then the key or the PIN, then an unfinished registration, then a page. */
export async function requireSession(
  context: Context, record: ProfileRecord | undefined, options: SignInOptions,
): Promise<Session> {
  const present = record && await presentSession(context, record, options.signal);
  return present ?? reporting(
    context, record && profileOf(record), () => newSession(context, record, options));
}

async function newSession(
  context: Context, record: ProfileRecord | undefined, options: SignInOptions,
): Promise<Session> {
  const session = record && await keySession(context, record, options);
  if (session !== undefined) return session;
  for (const name of record === undefined ? await context.records.names("pending/") : []) {
    const found = await resume(context, name.slice("pending/".length), options.signal)
      .catch((error: unknown) => {
        if (error instanceof IdentityError && error.kind === "offline") throw error;
        return undefined;
      });
    if (found !== undefined) return found.session;
  }
  if (record === undefined) return (await registerOnPage(context, options)).session;
  const loginHint = options.loginHint ?? record.username;
  const isInstalled = record.installationID !== undefined;
  if (!isInstalled) return signInOnPage(context, record, { ...options, loginHint });
  const made = await registerOnPage(context, { ...options, loginHint });
  if (made.profile.id === record.id) return made.session;
  throw new IdentityError("wrongPerson", `${made.profile.username} signed in`);
}

/** Whether another way to sign in remains after this error. */
const mayPass = (error: unknown): boolean => error instanceof IdentityError
  && (["signInNeeded", "refused"].includes(error.kind) || error.code === "keyUnavailable");

/** The session of stored tokens; `undefined` if they have ended. */
async function presentSession(
  context: Context, record: ProfileRecord, signal: AbortSignal | undefined,
): Promise<Session | undefined> {
  if (signal?.aborted) throw cancelled("aborted");
  const session = await context.session(record);
  try { await session?.accessToken(); } catch (error) {
    // Without a network the session stays: its calls report that.
    if (error instanceof IdentityError && error.kind === "offline") return session;
    if (!mayPass(error)) throw error;
    return undefined;
  }
  return session;
}

/** A session by key or PIN; `undefined` if there is none or the provider refuses it. */
async function keySession(
  context: Context, record: ProfileRecord, { signal, scopes }: SignInOptions,
): Promise<Session | undefined> {
  if (record.keyID === undefined) return undefined;
  try { return await signInAs(context, record, { scopes, signal }); } catch (error) {
    if (!mayPass(error)) throw error;
    return undefined;
  }
}

/** The profile as it is after a change of its name. */
export async function rename(context: Context, record: ProfileRecord, name: string) {
  const renamed = { ...record, name };
  await context.records.write({ [`profile/${record.id}`]: renamed });
  context.changed(renamed);
  return profileOf(renamed);
}
