// SPDX-License-Identifier: Apache-2.0
// Named rights and limits (docs/entitlements.md).
import { unverifiedClaims } from "./jws.js";
import type { Tokens } from "./provider.js";

export interface Entitlements {
  readonly effective: Readonly<Record<string, boolean | number>>;
  /** What remains of each expendable one; only if the provider was asked. */
  readonly expendable?: Readonly<Record<string, number>>;
  readonly set?: string;
  readonly sequence?: {
    readonly name: string; readonly started_at: string; readonly changes_at?: string;
  };
}

/** The claim of tokens with the scope `entitlements`. */
export function entitlementsOf(tokens: Tokens | undefined): Entitlements["effective"] | undefined {
  if (tokens === undefined) return undefined;
  try {
    return unverifiedClaims(tokens.accessToken)["entitlements"] as Entitlements["effective"];
  } catch { return undefined; }
}

/** The same text for the same values in any order. */
export const entitlementsText = (tokens: Tokens | undefined): string =>
  JSON.stringify(Object.entries(entitlementsOf(tokens) ?? {}).sort());
