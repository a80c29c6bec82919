// SPDX-License-Identifier: Apache-2.0
// Signing in by the PIN of one profile.
import type { Context } from "../core/context.js";
import { IdentityError, invalid, misconfigured } from "../core/errors.js";
import type { JSONObject } from "../core/jws.js";
import { jwtBearer } from "../core/key-sign-in.js";
import type { NamedKey, Tokens } from "../core/provider.js";
import { ProfileRecord, profileOf } from "../core/records.js";
import type { Session } from "../core/session.js";
import { signedIn } from "../core/signed-in.js";
import { PINExchange } from "./exchange.js";
import { proofKey } from "./messages.js";
import { digitsOf } from "./policy.js";
import { OpenedSecret, openSecret, SealedSecret } from "./secret.js";

export interface PINOptions {
  readonly scopes?: readonly string[] | undefined;
  readonly signal?: AbortSignal | undefined;
}

export class PINProfile {
  readonly exchange: PINExchange;

  private constructor(
    readonly context: Context, readonly record: ProfileRecord, readonly key: NamedKey,
  ) { this.exchange = new PINExchange(context, record, key); }

  static async open(context: Context, record: ProfileRecord): Promise<PINProfile> {
    if (record.key === undefined) throw new IdentityError("notRegistered", "there is no key");
    return new PINProfile(context, record, await context.key(record.key));
  }

  /** Prompts for the present PIN and opens the secret with it: right or wrong. */
  async prompt(sealed: SealedSecret): Promise<OpenedSecret> {
    const prompt = this.context.settings.prompter?.pin;
    if (prompt === undefined) throw misconfigured("implement prompter.pin");
    const policy = await this.exchange.policy();
    for (;;) {
      const typed = await prompt(Object.freeze({
        profile: profileOf(this.record), policy,
        ...this.exchange.attempts && { attempts: this.exchange.attempts },
      }));
      if (digitsOf(typed) === undefined) continue;
      const { binding } = await this.exchange.messages();
      return openSecret(this.context.crypto, this.key.key, binding, sealed, typed);
    }
  }

  // Signing in

  /** Signs in; prompts until the PIN is right, or with the secret of a new registration. */
  async signIn(
    { scopes = this.context.settings.scopes, signal }: PINOptions, known?: OpenedSecret,
    nonce?: string,
  ): Promise<Session> {
    if (nonce !== undefined) this.exchange.use(nonce);
    for (let secret = known; ; secret = undefined) {
      secret ??= await this.prompt(await this.exchange.active());
      const result = await this.#tokens(secret, scopes, signal);
      if (!("tokens" in result)) {
        if (await this.exchange.isWrong(result.answer)) continue;
        throw invalid("the response is incomplete");
      }
      const { current, offered } = await this.exchange.state();
      // The first sign-in with the offered secret is its commit.
      if (current === undefined && offered?.ver === secret.version) {
        await this.exchange.save({ current: offered });
      }
      return signedIn(this.context, this.record, result.tokens);
    }
  }

  async #tokens(
    secret: OpenedSecret, scopes: readonly string[], signal: AbortSignal | undefined,
  ): Promise<{ tokens: Tokens } | { answer: JSONObject }> {
    const messages = await this.exchange.messages();
    const form = { grant_type: jwtBearer, scope: scopes.join(" ") };
    const ask = async () => {
      const to = await proofKey(this.context);
      const nonce = await this.exchange.freshNonce();
      const assertion = await messages.prove("sign-in", secret, nonce, to);
      const send = () => this.context.provider.grant(
        { ...form, assertion }, { key: this.key, subject: this.record.userID, signal });
      return { keyID: to.keyID, send };
    };
    const first = await ask();
    let wasLost = false;
    try {
      const tokens = await this.exchange.repeating(async () => {
        try { return await first.send(); } catch (error) {
          wasLost ||= error instanceof IdentityError && error.code === "notReachable";
          throw error;
        }
      });
      return { tokens };
    } catch (error) {
      const answer = this.exchange.refused(error);
      if (answer["code"] !== "refused") return { answer };
      // A nonce signs in once: the PIN was right and its response was lost. Or the provider has
      // rotated its key.
      const isRotated = (await proofKey(this.context, true)).keyID !== first.keyID;
      if (!wasLost && !isRotated) return { answer };
      const second = await ask();
      try { return { tokens: await second.send() }; } catch (again) {
        return { answer: this.exchange.refused(again) };
      }
    }
  }
}
