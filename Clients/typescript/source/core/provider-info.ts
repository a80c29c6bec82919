// SPDX-License-Identifier: Apache-2.0
// What the provider and the project offer.
import type { Context } from "./context.js";
import { IdentityError } from "./errors.js";
import type { IdentityProvider, ProviderInfo } from "./types.js";

const custom: readonly unknown[] = ["customOneStep", "customTwoStep"];

/** One entry of `identity_providers`; older providers list custom ones only, without `kind`. */
function identityProvider(item: unknown): IdentityProvider[] {
  const { id, name, kind, method, icon } = (item ?? {}) as Record<string, unknown>;
  const isCustom = custom.includes(method);
  const found = isCustom ? "custom" : kind;
  if (typeof id !== "string" || !["browser", "upstream", "custom"].includes(String(found))) {
    return [];
  }
  return [Object.freeze({
    id, name: typeof name === "string" ? name : id, kind: found as IdentityProvider["kind"],
    ...isCustom && { method: method as "customOneStep" | "customTwoStep" },
    ...typeof icon === "string" && { icon },
  })];
}

export async function info(context: Context): Promise<ProviderInfo> {
  const { provider } = context;
  const { gatehouse } = await provider.documents();
  const methods = gatehouse["registration"]?.["methods"];
  let items: unknown[] = [];
  try {
    const answer = await provider.send("identity_providers");
    if (Array.isArray(answer["items"])) items = answer["items"];
  } catch (error) {
    if (!(error instanceof IdentityError && error.code === "methodNotSupported")) throw error;
  }
  return Object.freeze({
    issuer: provider.issuer, identityProviders: Object.freeze(items.flatMap(identityProvider)),
    ...Array.isArray(methods) && { methods: Object.freeze(methods.map(String)) },
    bindsTokens: await provider.bindsTokens(),
  });
}
