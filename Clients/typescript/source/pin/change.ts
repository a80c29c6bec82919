// SPDX-License-Identifier: Apache-2.0
// New PINs: the prompt for one, and the change of one.
import type { Context } from "../core/context.js";
import { misconfigured } from "../core/errors.js";
import { ProfileRecord, profileOf } from "../core/records.js";
import type { PINPolicy, PINPrompt } from "../core/types.js";
import { generateTransportKey, pointOf } from "./hpke.js";
import { violation } from "./policy.js";
import type { PINProfile } from "./profile.js";
import { OpenedSecret, SealedSecret, sealSecret } from "./secret.js";

/** Prompts for a new PIN until it satisfies the policy. */
export async function newPIN(
  context: Context, policy: PINPolicy, profile?: ProfileRecord,
): Promise<string> {
  const prompt = context.settings.prompter?.newPIN;
  if (prompt === undefined) throw misconfigured("implement prompter.newPIN");
  let request: PINPrompt = { policy, ...profile && { profile: profileOf(profile) } };
  for (;;) {
    const typed = await prompt(Object.freeze(request));
    const rejection = violation(typed, policy);
    if (rejection === undefined) return typed;
    request = { ...request, rejection };
  }
}

/** Prompts for the present and for a new PIN. At every moment exactly one of them is valid. */
export function changePIN(profile: PINProfile): Promise<void> {
  const { context, record, key, exchange } = profile;
  return context.lock(`pin ${key.name}`, undefined, async () => {
    for (;;) {
      const old = await profile.prompt(await confirmed(profile));
      const pin = await newPIN(context, await exchange.policy(), record);
      if (await replace(profile, old, pin)) return;
    }
  });
}

/** The active secret; the first one of a profile is committed before, by its PIN. */
async function confirmed(profile: PINProfile): Promise<SealedSecret> {
  const { exchange } = profile;
  for (;;) {
    const { current, offered } = await exchange.state();
    if (current !== undefined || offered === undefined) return exchange.active();
    const { answer, nonce } = await exchange.prove("commit", await profile.prompt(offered));
    if (await exchange.isWrong(answer)) continue;
    const messages = await exchange.messages();
    await exchange.apply(await messages.version(answer["statement"], nonce));
  }
}

/** `false` after a wrong PIN. */
async function replace(
  { context: { crypto }, exchange, key: { key } }: PINProfile, old: OpenedSecret, pin: string,
): Promise<boolean> {
  const messages = await exchange.messages();
  const transport = await generateTransportKey(crypto);
  const point = await pointOf(crypto, transport.publicKey);
  const { answer, nonce } = await exchange.prove("change", old, point);
  if (await exchange.isWrong(answer)) return false;
  const secret = await messages.delivery(answer["statement"], nonce, transport);
  const offered = await sealSecret(crypto, key, messages.binding, secret, pin);
  await exchange.save({ ...await exchange.state(), offered });
  const commit = await exchange.prove("commit", secret);
  await exchange.isWrong(commit.answer);
  await exchange.apply(await messages.version(commit.answer["statement"], commit.nonce));
  return true;
}
