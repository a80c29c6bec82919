// SPDX-License-Identifier: Apache-2.0
// Signing out, removing a profile, deleting an account. Local data are removed whatever the
// provider answers; only an account is deleted at the provider first.
import type { Context } from "./context.js";
import { IdentityError } from "./errors.js";
import type { JSONObject } from "./jws.js";
import { signInByKey } from "./key-sign-in.js";
import { present } from "./page.js";
import type { Tokens } from "./provider.js";
import { ProfileRecord, profileOf, RedirectRecord } from "./records.js";
import type { Exchange } from "./transport.js";
import type { LeavingOutcome, SignOutScope } from "./types.js";

/** Sends a request as a person, who is signed in by the key for it if necessary. */
export async function sendAs(
  context: Context, record: ProfileRecord, name: string, exchange: Exchange & { path?: string },
): Promise<JSONObject> {
  const canSignIn = record.keyID !== undefined && record.hasPIN !== true;
  let session = await context.session(record);
  try { await session?.accessToken(); } catch (error) {
    if (!(error instanceof IdentityError && error.kind === "signInNeeded")) throw error;
    session = undefined;
  }
  if (session === undefined && !canSignIn) throw new IdentityError("notSignedIn", "signed out");
  session ??= await signInByKey(context, record);
  try { return await session.send(name, exchange); } catch (error) {
    // Tokens of the provider's page belong to no installation; those of its key do.
    const isOfPage = error instanceof IdentityError && error.serverCode === "unknown_installation";
    if (!isOfPage || !canSignIn) throw error;
    return (await signInByKey(context, record)).send(name, exchange);
  }
}

/** A provider that was not notified is part of the result, not an error. */
async function outcome(body: () => Promise<unknown>): Promise<LeavingOutcome> {
  try { await body(); return Object.freeze({}); } catch (error) {
    if (!(error instanceof IdentityError)) throw error;
    return Object.freeze({ error });
  }
}

export async function signOut(
  context: Context, record: ProfileRecord, scope: SignOutScope,
): Promise<LeavingOutcome> {
  const tokens = await context.records.read<Tokens>(`tokens/${record.id}`);
  const result = await outcome(async () => {
    if (scope === "everywhere") await sendAs(context, record, "sign_ins", { method: "DELETE" });
    else if (scope !== "localOnly") await revoke(context, tokens);
  });
  await context.lockProfiles([record.id], async () => {
    const newest = await context.records.read<Tokens>(`tokens/${record.id}`);
    await context.records.write({ [`tokens/${record.id}`]: null });
    await context.dropKeys([newest?.key]);
  });
  context.notify({ type: "signedOut", profile: profileOf(record), reason: "requested" });
  if (scope === "browser" && result.error === undefined) return endBrowserSession(context, tokens);
  return result;
}

/** RFC 7009: the refresh token with its grant; without one the access token. */
async function revoke(context: Context, tokens: Tokens | undefined): Promise<void> {
  const endpoint = (await context.provider.known()).metadata["revocation_endpoint"];
  const token = tokens?.refreshToken ?? tokens?.accessToken;
  if (token === undefined || typeof endpoint !== "string") return;
  await context.provider.transport.send(endpoint, {
    method: "POST", form: { token, client_id: context.settings.clientID },
  });
}

/** OpenID Connect RP-Initiated Logout 1.0 section 2: the provider's page ends its own session. */
function endBrowserSession(
  context: Context, tokens: Tokens | undefined,
): Promise<LeavingOutcome> {
  return outcome(async () => {
    const endpoint = (await context.provider.known()).metadata["end_session_endpoint"];
    if (typeof endpoint !== "string") {
      throw new IdentityError("methodNotSupported", "the provider has no end_session_endpoint");
    }
    const state = context.random();
    const record: RedirectRecord = {
      purpose: "signOut", nonce: "", verifier: "", startedAt: context.services.now(),
      redirectURI: context.settings.redirectURI ?? "",
    };
    await context.records.write({ [`redirect/${state}`]: record });
    const query = new URLSearchParams({ client_id: context.settings.clientID, state });
    if (tokens?.idToken !== undefined) query.set("id_token_hint", tokens.idToken);
    await present(context, state, (redirectURI) => {
      query.set("post_logout_redirect_uri", redirectURI);
      return `${endpoint}?${query}`;
    }, undefined);
    await context.records.write({ [`redirect/${state}`]: null });
  });
}

/** The browser returned from a sign-out: `state` is all that the URL contains. */
export async function completeSignOut(context: Context, url: string): Promise<void> {
  const { page } = context.services;
  const rest = new URL(url);
  const name = `redirect/${rest.searchParams.get("state")}`;
  const record = await context.records.read<RedirectRecord>(name);
  if (record?.purpose !== "signOut") return;
  await context.records.write({ [name]: null });
  rest.searchParams.delete("state");
  if (page?.href() === url) page.replace(rest.href);
}

export async function remove(context: Context, record: ProfileRecord): Promise<LeavingOutcome> {
  const result = await outcome(async () => {
    if (record.installationID === undefined) {
      await revoke(context, await context.records.read<Tokens>(`tokens/${record.id}`));
    } else {
      await sendAs(context, record, "installations", { method: "DELETE", path: "/current" });
    }
  });
  await forget(context, record);
  return result;
}

export async function deleteAccount(context: Context, record: ProfileRecord): Promise<void> {
  await sendAs(context, record, "account", { method: "DELETE" });
  await forget(context, record);
}

/** Removes all of a profile on this device. A renewal in any tab ends first. */
export async function forget(context: Context, record: ProfileRecord): Promise<void> {
  const { records } = context;
  await context.lockProfiles([record.id], async () => {
    const isCurrent = await records.read("current") === record.id;
    const tokens = await records.read<Tokens>(`tokens/${record.id}`);
    const newest = await records.read<ProfileRecord>(`profile/${record.id}`);
    await records.write({
      [`profile/${record.id}`]: null, [`tokens/${record.id}`]: null,
      ...isCurrent && { current: null },
    });
    await context.dropKeys([tokens?.key, record.key, newest?.key]);
  });
  context.notify({ type: "signedOut", profile: profileOf(record), reason: "removed" });
}

/** Removes everything on this device, without a request. */
export async function eraseLocalState(context: Context): Promise<void> {
  const all = await context.profiles().catch(() => []);
  await context.lockProfiles(all.map(({ id }) => id).sort(), async () => {
    await context.records.clear();
    await context.services.keys.clear();
  });
  for (const record of all) {
    context.notify({ type: "signedOut", profile: profileOf(record), reason: "removed" });
  }
}
