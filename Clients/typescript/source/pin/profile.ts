// SPDX-License-Identifier: Apache-2.0
// The prompts for the PIN of one profile: signing in and changing it.
import type { Context } from "../core/context.js";
import { IdentityError, invalid, misconfigured } from "../core/errors.js";
import type { JSONObject } from "../core/jws.js";
import { jwtBearer } from "../core/key-sign-in.js";
import type { NamedKey, Tokens } from "../core/provider.js";
import { ProfileRecord, profileOf } from "../core/records.js";
import type { Session } from "../core/session.js";
import { signedIn } from "../core/signed-in.js";
import type { PINPolicy, PINPrompt } from "../core/types.js";
import { PINExchange } from "./exchange.js";
import { generateTransportKey, pointOf } from "./hpke.js";
import { proofKey } from "./messages.js";
import { digitsOf, violation } from "./policy.js";
import { OpenedSecret, openSecret, SealedSecret, sealSecret } from "./secret.js";

export interface PINOptions {
  readonly scopes?: readonly string[] | undefined;
  readonly signal?: AbortSignal | undefined;
}

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

export class PINProfile {
  readonly #exchange: PINExchange;

  private constructor(
    private readonly context: Context, private readonly record: ProfileRecord,
    private readonly key: NamedKey,
  ) { this.#exchange = new PINExchange(context, record, key); }

  static async open(context: Context, record: ProfileRecord): Promise<PINProfile> {
    if (record.key === undefined) throw new IdentityError("notRegistered", "there is no key");
    return new PINProfile(context, record, await context.key(record.key));
  }

  async #prompt(sealed: SealedSecret): Promise<OpenedSecret> {
    const prompt = this.context.settings.prompter?.pin;
    if (prompt === undefined) throw misconfigured("implement prompter.pin");
    const policy = await this.#exchange.policy();
    for (;;) {
      const typed = await prompt(Object.freeze({
        profile: profileOf(this.record), policy,
        ...this.#exchange.attempts && { attempts: this.#exchange.attempts },
      }));
      if (digitsOf(typed) === undefined) continue;
      const { binding } = await this.#exchange.messages();
      return openSecret(this.context.crypto, this.key.key, binding, sealed, typed);
    }
  }

  // Signing in

  /** Signs in; prompts until the PIN is right, or with the secret of a new registration. */
  async signIn(
    { scopes = this.context.settings.scopes, signal }: PINOptions, known?: OpenedSecret,
    nonce?: string,
  ): Promise<Session> {
    if (nonce !== undefined) this.#exchange.use(nonce);
    for (let secret = known; ; secret = undefined) {
      secret ??= await this.#prompt(await this.#exchange.active());
      const result = await this.#tokens(secret, scopes, signal);
      if (!("tokens" in result)) {
        if (await this.#exchange.isWrong(result.answer)) continue;
        throw invalid("the response is incomplete");
      }
      const { current, offered } = await this.#exchange.state();
      // The first sign-in with the offered secret is its commit.
      if (current === undefined && offered?.ver === secret.version) {
        await this.#exchange.save({ current: offered });
      }
      return signedIn(this.context, this.record, result.tokens);
    }
  }

  async #tokens(
    secret: OpenedSecret, scopes: readonly string[], signal: AbortSignal | undefined,
  ): Promise<{ tokens: Tokens } | { answer: JSONObject }> {
    const messages = await this.#exchange.messages();
    const form = { grant_type: jwtBearer, scope: scopes.join(" ") };
    const ask = async () => {
      const to = await proofKey(this.context);
      const nonce = await this.#exchange.freshNonce();
      const assertion = await messages.prove("sign-in", secret, nonce, to);
      const send = () => this.context.provider.grant(
        { ...form, assertion }, { key: this.key, subject: this.record.userID, signal });
      return { keyID: to.keyID, send };
    };
    const first = await ask();
    let wasLost = false;
    try {
      const tokens = await this.#exchange.repeating(async () => {
        try { return await first.send(); } catch (error) {
          wasLost ||= error instanceof IdentityError && error.code === "notReachable";
          throw error;
        }
      });
      return { tokens };
    } catch (error) {
      const answer = this.#exchange.refused(error);
      if (answer["code"] !== "refused") return { answer };
      // A nonce signs in once: the PIN was right and its response was lost. Or the provider has
      // rotated its key.
      const isRotated = (await proofKey(this.context, true)).keyID !== first.keyID;
      if (!wasLost && !isRotated) return { answer };
      const second = await ask();
      try { return { tokens: await second.send() }; } catch (again) {
        return { answer: this.#exchange.refused(again) };
      }
    }
  }

  // Changing

  /** Prompts for the present and for a new PIN. At every moment exactly one of them is valid. */
  change(): Promise<void> {
    return this.context.lock(`pin ${this.key.name}`, undefined, async () => {
      for (;;) {
        const old = await this.#prompt(await this.#confirmed());
        const pin = await newPIN(this.context, await this.#exchange.policy(), this.record);
        if (await this.#replace(old, pin)) return;
      }
    });
  }

  /** The active secret; the first one of a profile is committed before, by its PIN. */
  async #confirmed(): Promise<SealedSecret> {
    for (;;) {
      const { current, offered } = await this.#exchange.state();
      if (current !== undefined || offered === undefined) return this.#exchange.active();
      const { answer, nonce } = await this.#exchange.prove("commit", await this.#prompt(offered));
      if (await this.#exchange.isWrong(answer)) continue;
      const messages = await this.#exchange.messages();
      await this.#exchange.apply(await messages.version(answer["statement"], nonce));
    }
  }

  /** `false` after a wrong PIN. */
  async #replace(old: OpenedSecret, pin: string): Promise<boolean> {
    const { crypto } = this.context;
    const messages = await this.#exchange.messages();
    const transport = await generateTransportKey(crypto);
    const point = await pointOf(crypto, transport.publicKey);
    const { answer, nonce } = await this.#exchange.prove("change", old, point);
    if (await this.#exchange.isWrong(answer)) return false;
    const secret = await messages.delivery(answer["statement"], nonce, transport);
    const offered = await sealSecret(crypto, this.key.key, messages.binding, secret, pin);
    await this.#exchange.save({ ...await this.#exchange.state(), offered });
    const commit = await this.#exchange.prove("commit", secret);
    await this.#exchange.isWrong(commit.answer);
    await this.#exchange.apply(await messages.version(commit.answer["statement"], commit.nonce));
    return true;
  }
}
