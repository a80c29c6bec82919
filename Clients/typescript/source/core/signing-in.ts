// SPDX-License-Identifier: Apache-2.0
// Signing in and registering on a page of the provider.
import { Context, registrationScope } from "./context.js";
import { IdentityError, isOffline } from "./errors.js";
import { openPage, PageResponse, readResponse } from "./page.js";
import type { ProfileRecord } from "./records.js";
import type { Session } from "./session.js";
import { enter, signedIn } from "./signed-in.js";
import type { IdentityProvider, Registration, SignInOptions } from "./types.js";

/** The provider accepts a token of the page as evidence for ten minutes from the authentication. */
const evidenceAge = 300;

const registering = () => import("./registering.js");

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

/** Continues in the page to which the provider redirected; `null` without a response. */
export async function completePage(context: Context, url: string): Promise<Registration | null> {
  const response = await readResponse(context, url);
  return response === undefined ? null : finishPage(context, response);
}

/** What follows a response, at once or in the page to which the provider redirected. */
export async function finishPage(
  context: Context, { record, tokens }: PageResponse, signal?: AbortSignal,
): Promise<Registration> {
  const returnTo = record.returnTo;
  if (record.purpose === "register" && record.installs === true && record.key !== undefined) {
    return (await registering()).registerByPage(context, record, tokens.accessToken, signal);
  }
  if (record.purpose === "stepUp") {
    (await import("./step-up.js")).checkStepUp(tokens.claims, record.acrValues ?? []);
  }
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

/** A session by an unfinished registration, otherwise by a page. */
export async function newSession(
  context: Context, record: ProfileRecord | undefined, options: SignInOptions,
): Promise<Session> {
  const names = record === undefined ? await context.records.names("pending/") : [];
  for (const name of names) {
    const { resume } = await registering();
    const found = await resume(context, name.slice("pending/".length), options.signal)
      .catch((error: unknown) => {
        if (isOffline(error)) throw error;
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
