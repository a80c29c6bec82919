// SPDX-License-Identifier: Apache-2.0
// Sessions without a page of the provider: stored tokens, key, PIN.
import type { Context } from "./context.js";
import { cancelled, IdentityError } from "./errors.js";
import { signInAs } from "./key-sign-in.js";
import type { ProfileRecord } from "./records.js";
import type { Session } from "./session.js";
import type { Profile, SignInOptions } from "./types.js";

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

/** Whether another way to sign in remains after this error. */
const mayPass = (error: unknown): boolean => error instanceof IdentityError
  && (["signInNeeded", "refused"].includes(error.kind) || error.code === "keyUnavailable");

/** The session of stored tokens; `undefined` if they have ended. */
export async function presentSession(
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
export async function keySession(
  context: Context, record: ProfileRecord, { signal, scopes }: SignInOptions,
): Promise<Session | undefined> {
  if (record.keyID === undefined) return undefined;
  try { return await signInAs(context, record, { scopes, signal }); } catch (error) {
    if (!mayPass(error)) throw error;
    return undefined;
  }
}
