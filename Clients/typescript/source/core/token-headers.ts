// SPDX-License-Identifier: Apache-2.0
// The header fields that take an access token along (RFC 9449 section 7.1, RFC 6750 section 2.1).
import type { Context } from "./context.js";
import { proofOfPossession } from "./dpop.js";
import type { Tokens } from "./provider.js";

export async function tokenHeaders(
  context: Context, tokens: Tokens, method: string, url: string, nonce: string | undefined,
): Promise<Record<string, string>> {
  const { accessToken } = tokens;
  if (tokens.key === undefined) return { Authorization: `Bearer ${accessToken}` };
  const { key } = await context.key(tokens.key);
  const { now } = context.provider.transport;
  const proof = await proofOfPossession(
    context.crypto, key, method, url, { accessToken, nonce, now });
  return { Authorization: `DPoP ${accessToken}`, DPoP: proof };
}
