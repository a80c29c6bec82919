// SPDX-License-Identifier: Apache-2.0
// Renewal of tokens: one tab or process at a time, so that a refresh token is used once.
import { isValid, Wanted } from "./authorizing.js";
import type { Context } from "./context.js";
import { entitlementsText } from "./entitlements.js";
import { IdentityError } from "./errors.js";
import { tokensByKey } from "./key-sign-in.js";
import type { Tokens } from "./provider.js";
import { ProfileRecord, profileOf } from "./records.js";
import type { Profile } from "./types.js";

const signedOut = (detail: string, serverCode?: string): IdentityError =>
  new IdentityError("notSignedIn", detail, { serverCode });

/** Whether a grant or its key has ended. */
const isEnded = (error: unknown): error is IdentityError => error instanceof IdentityError
  && (error.serverCode === "invalid_grant" || error.code === "keyUnavailable");

/** Tokens that another tab has renewed, or new ones. */
export function renew(
  context: Context, profile: Profile, known: Tokens | undefined, wanted: Wanted,
): Promise<Tokens> {
  const name = `tokens/${profile.id}`;
  return context.lock(`session ${profile.id}`, undefined, async () => {
    try {
      const stored = await context.records.read<Tokens>(name);
      if (stored === undefined) throw signedOut("signed out");
      const newest = stored.generation >= (known?.generation ?? 0) ? stored : known ?? stored;
      const isNewer = newest.generation > (wanted.replacing?.generation ?? -1);
      if (isNewer && isValid(newest, context.services.now(), wanted.validFor)) return newest;
      const record = await context.stored(profile);
      const obtained = await obtain(context, record, newest);
      const tokens = { ...obtained, generation: newest.generation + 1 };
      // They are valid even if the storage fails now: a bound refresh token repeats its successor.
      await context.records.write({ [name]: tokens }).then(
        () => context.dropKeys([newest.key])).catch(() => {});
      if (entitlementsText(newest) !== entitlementsText(tokens)) {
        context.notify({ type: "entitlementsChanged", profile: profileOf(record) });
      }
      return tokens;
    } catch (error) {
      await report(context, profile, error);
      throw error;
    }
  });
}

async function report(context: Context, profile: Profile, error: unknown): Promise<void> {
  const record = await context.find(profile).catch(() => undefined);
  if (record === undefined || !(error instanceof IdentityError)) return;
  if (error.kind === "signInNeeded") {
    // The access token may still be valid by its time; the person is signed out all the same.
    const tokens = await context.records.read<Tokens>(`tokens/${record.id}`);
    await context.records.write({ [`tokens/${record.id}`]: null });
    await context.dropKeys([tokens?.key]);
    context.notify({ type: "signedOut", profile: profileOf(record), reason: "refused" });
  } else {
    context.notify({ type: "refreshFailed", profile: profileOf(record), code: error.code });
  }
}

async function obtain(
  context: Context, record: ProfileRecord, tokens: Tokens,
): Promise<Tokens> {
  if (tokens.refreshToken !== undefined) {
    try { return await refreshed(context, record, tokens, tokens.refreshToken); } catch (error) {
      if (!isEnded(error)) throw error;
    }
  }
  if (record.keyID === undefined || record.hasPIN === true) {
    throw signedOut("the refresh token has ended");
  }
  const scopes = tokens.scope === "" ? context.settings.scopes : tokens.scope.split(" ");
  try { return await tokensByKey(context, record, { scopes }); } catch (error) {
    throw isEnded(error) ? signedOut("the sign-in key has ended", error.serverCode) : error;
  }
}

/** RFC 6749 section 6: what the response does not contain stays as it is. */
async function refreshed(
  context: Context, record: ProfileRecord, tokens: Tokens, refreshToken: string,
): Promise<Tokens> {
  const key = tokens.key === undefined ? undefined : await context.key(tokens.key);
  const fresh = await context.provider.grant(
    { grant_type: "refresh_token", refresh_token: refreshToken }, { key, subject: record.userID });
  return {
    ...fresh, refreshToken: fresh.refreshToken ?? refreshToken,
    idToken: fresh.idToken ?? tokens.idToken, claims: fresh.claims ?? tokens.claims,
    scope: fresh.scope || tokens.scope,
  };
}
