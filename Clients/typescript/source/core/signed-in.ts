// SPDX-License-Identifier: Apache-2.0
// Storing the result of a sign-in.
import type { Context } from "./context.js";
import { IdentityError, invalid } from "./errors.js";
import type { Tokens } from "./provider.js";
import { ProfileRecord, profileOf } from "./records.js";
import type { Session } from "./session.js";
import { tokenHeaders } from "./token-headers.js";

/** Stores tokens of a person. A profile that was removed during the sign-in does not return. */
export async function signedIn(
  context: Context, record: ProfileRecord, tokens: Tokens, isNew = false,
): Promise<Session> {
  const { records } = context;
  const [stored, numbered] = await context.lock(`session ${record.id}`, undefined, async () => {
    const stored = await records.read<ProfileRecord>(`profile/${record.id}`)
      ?? (isNew ? record : undefined);
    if (stored === undefined) {
      await context.dropKeys([tokens.key]);
      throw new IdentityError("notRegistered", "the profile was removed");
    }
    const before = await records.read<Tokens>(`tokens/${record.id}`);
    // Newer than the tokens of an earlier session that another tab may still have.
    const generation = Math.max((before?.generation ?? 0) + 1, context.services.now());
    const numbered = { ...tokens, generation };
    await records.write({
      [`profile/${record.id}`]: stored, [`tokens/${record.id}`]: numbered, current: record.id,
    });
    await context.dropKeys([before?.key]);
    return [stored, numbered] as const;
  });
  const session = context.adopt(stored, numbered);
  context.notify({ type: "signedIn", profile: profileOf(stored) });
  return session;
}

/** Stores tokens of a person who may be new on this device. */
export async function enter(
  context: Context, tokens: Tokens, method: string,
): Promise<{ session: Session; isNew: boolean }> {
  const sub = tokens.claims?.sub;
  if (sub === undefined) throw invalid("the response names no person: request the scope openid");
  const earlier = await context.ofUser(sub);
  const record = earlier ?? {
    id: context.random(), userID: sub, username: await username(context, tokens, sub), method,
    registeredAt: context.services.now(),
  };
  const isNew = earlier === undefined;
  return { session: await signedIn(context, record, tokens, isNew), isNew };
}

/** `preferred_username` of the ID token or of `/userinfo`; otherwise the identifier. */
async function username(context: Context, tokens: Tokens, sub: string): Promise<string> {
  const name = tokens.claims?.["preferred_username"];
  if (typeof name === "string") return name;
  const { provider } = context;
  try {
    const url = String((await provider.known()).metadata["userinfo_endpoint"]);
    const body = await provider.transport.send(url, {
      authorize: (method, address, nonce) => tokenHeaders(context, tokens, method, address, nonce),
    });
    // OpenID Connect Core section 5.3.2: `sub` must be the same.
    const found = body["preferred_username"];
    return body["sub"] === sub && typeof found === "string" ? found : sub;
  } catch { return sub; }
}
