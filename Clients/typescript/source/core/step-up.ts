// SPDX-License-Identifier: Apache-2.0
// A stronger or newer authentication of the person of a session (RFC 9470).
import type { Context } from "./context.js";
import { IdentityError } from "./errors.js";
import type { Claims } from "./id-token.js";
import { signInAs } from "./key-sign-in.js";
import { openPage } from "./page.js";
import type { Session } from "./session.js";
import { signedIn } from "./signed-in.js";

/** A class includes those before it (docs/registration.md): hardware-protected is resistant too. */
const stronger: Readonly<Record<string, readonly string[]>> = { phr: ["phrh"] };

/** Whether an ID token has one of the classes and is new enough. */
export function satisfies(
  claims: Claims | undefined, acrValues: readonly string[], maxAge: number | undefined,
  now: number,
): boolean {
  const acr = String(claims?.["acr"]);
  const isStrong = acrValues.length === 0
    || acrValues.some((one) => one === acr || stronger[one]?.includes(acr));
  const time = claims?.["auth_time"];
  const isNew = maxAge === undefined || (typeof time === "number" && now / 1000 - time <= maxAge);
  return isStrong && isNew;
}

export async function stepUp(
  context: Context, session: Session, acrValues: readonly string[],
  options: {
    maxAge?: number | undefined; signal?: AbortSignal | undefined; isForced?: boolean;
  },
): Promise<void> {
  const { maxAge, signal } = options;
  const { now } = context.provider.transport;
  if (!options.isForced && satisfies(session.claims, acrValues, maxAge, now)) return;
  const profile = await context.stored(session.profile);
  const scope = session.tokens?.scope;
  const scopes = scope ? scope.split(" ") : undefined;
  if (profile.hasPIN === true && context.settings.prompter?.pin !== undefined) {
    await signInAs(context, profile, { scopes, signal });
    if (satisfies(session.claims, acrValues, maxAge, now)) return;
  }
  const { tokens } = await openPage(context, {
    purpose: "stepUp", profile, tokens: session.tokens, acrValues, maxAge, scopes, signal,
  });
  checkStepUp(tokens.claims, acrValues);
  await signedIn(context, profile, tokens);
}

/** `acr_values` is a wish (OpenID Connect Core section 3.1.2.1): the ID token says the result. */
export function checkStepUp(claims: Claims | undefined, acrValues: readonly string[]): void {
  if (satisfies(claims, acrValues, undefined, 0)) return;
  throw new IdentityError(
    "stepUpRefused", `acr is ${String(claims?.["acr"])}, not ${acrValues.join(" or ")}`);
}
