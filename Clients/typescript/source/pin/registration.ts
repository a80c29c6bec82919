// SPDX-License-Identifier: Apache-2.0
// A new PIN within a registration: offer, delivery, and the secret sealed under the PIN.
import type { Context } from "../core/context.js";
import type { JSONObject } from "../core/jws.js";
import type { NamedKey } from "../core/provider.js";
import type { PINPolicy } from "../core/types.js";
import { newPIN } from "./change.js";
import { messagesOf } from "./exchange.js";
import { generateTransportKey, pointOf } from "./hpke.js";
import { proofKey } from "./messages.js";
import { OpenedSecret, sealSecret } from "./secret.js";
import { registrationBinding } from "./transcript.js";

export interface PINOffer {
  /** What evidence contains in place of the key's binding. */
  readonly binding: Uint8Array;
  readonly message: string;
  /** Seals and stores the delivered secret, which signs in without another prompt. */
  accept(response: unknown): Promise<OpenedSecret>;
}

/** The PIN that the person chose, for one registration. */
export async function choosePIN(
  context: Context, policy: PINPolicy,
): Promise<(key: NamedKey, nonce: string) => Promise<PINOffer>> {
  // Before the prompt: without the provider's key no PIN could be proven.
  await proofKey(context);
  const pin = await newPIN(context, policy);
  return async (key, nonce) => {
    const { crypto } = context;
    const messages = await messagesOf(context, key);
    const transport = await generateTransportKey(crypto);
    const point = await pointOf(crypto, transport.publicKey);
    return {
      binding: await registrationBinding(crypto, messages.binding, nonce, point),
      message: await messages.firstOffer(point, nonce),
      accept: async (response) => {
        const { statement } = (response ?? {}) as JSONObject;
        const secret = await messages.delivery(statement, nonce, transport);
        const offered = await sealSecret(crypto, key.key, messages.binding, secret, pin);
        await context.records.write({ [`pin/${key.name}`]: { offered } });
        return secret;
      },
    };
  };
}
