// SPDX-License-Identifier: Apache-2.0
// The stored state of one profile's PIN and its exchanges with the provider. Each state is stored
// before a message that depends on it is sent.
import type { Context } from "../core/context.js";
import { IdentityError, invalid } from "../core/errors.js";
import { JSONObject, thumbprint } from "../core/jws.js";
import type { NamedKey } from "../core/provider.js";
import type { ProfileRecord } from "../core/records.js";
import type { PINPolicy, PINPrompt } from "../core/types.js";
import { Messages, proofKey } from "./messages.js";
import { policyOf } from "./policy.js";
import type { OpenedSecret, PINState, SealedSecret } from "./secret.js";

/** Milliseconds that a nonce is used for; it is valid for five minutes. */
const nonceAge = 240_000;

export async function messagesOf(context: Context, { key }: NamedKey): Promise<Messages> {
  const keyID = await thumbprint(context.crypto, key.jwk);
  return new Messages(context, key, { issuer: context.settings.issuer, keyID });
}

export class PINExchange {
  /** Of the last wrong PIN, as the provider counts. */
  attempts: PINPrompt["attempts"];
  #messages: Messages | undefined;
  #nonce: { readonly text: string; readonly at: number } | undefined;
  #policy: PINPolicy | undefined;

  constructor(
    readonly context: Context, readonly record: ProfileRecord, readonly key: NamedKey,
  ) {}

  // State

  get #name(): string { return `pin/${this.key.name}`; }

  async state(): Promise<PINState> {
    const state = await this.context.records.read<PINState>(this.#name);
    if (state !== undefined) return state;
    throw new IdentityError("pinOutdated", "this device has no secret of the PIN");
  }

  save(state: PINState): Promise<void> {
    return this.context.records.write({ [this.#name]: state });
  }

  async messages(): Promise<Messages> {
    return (this.#messages ??= await messagesOf(this.context, this.key));
  }

  // Requests

  /** A nonce, used once; with it comes the policy. */
  async freshNonce(): Promise<string> {
    const stored = this.#nonce;
    this.#nonce = undefined;
    const isFresh = this.context.services.now() - (stored?.at ?? 0) < nonceAge;
    return stored !== undefined && isFresh ? stored.text : this.#fetchNonce();
  }

  async #fetchNonce(): Promise<string> {
    const { nonce, pin } = await this.context.provider.send("pin_challenge", { method: "POST" });
    if (typeof nonce !== "string") throw invalid("the challenge has no nonce");
    this.#policy = policyOf(pin) ?? this.#policy;
    return nonce;
  }

  async policy(): Promise<PINPolicy> {
    if (this.#policy === undefined) {
      this.#nonce = { text: await this.#fetchNonce(), at: this.context.services.now() };
    }
    if (this.#policy !== undefined) return this.#policy;
    throw new IdentityError("methodNotSupported", "the project has no PINs");
  }

  /** Sends a message; the same bytes again after a lost response. Refusals are responses. */
  async #send(request: string): Promise<JSONObject> {
    const send = () => this.context.provider.send("pin", { method: "POST", json: { request } });
    return this.repeating(send).catch((error: unknown) => this.refused(error));
  }

  async repeating<T>(send: () => Promise<T>): Promise<T> {
    try { return await send(); } catch (error) {
      if (!(error instanceof IdentityError && error.code === "notReachable")) throw error;
      return send();
    }
  }

  refused(error: unknown): JSONObject {
    const isAnswer = error instanceof IdentityError
      && ["wrong_pin", "ended", "refused"].includes(String(error.serverCode));
    if (isAnswer && error.body !== undefined) return error.body;
    throw error;
  }

  /** Proves a secret; once more if the provider has rotated the key to which proofs are sealed. */
  async prove(
    purpose: "commit" | "change", secret: OpenedSecret, transportKey?: Uint8Array,
  ): Promise<{ answer: JSONObject; nonce: string }> {
    const messages = await this.messages();
    const ask = async () => {
      const to = await proofKey(this.context);
      const nonce = await this.freshNonce();
      const request = await messages.prove(purpose, secret, nonce, to, transportKey);
      return { answer: await this.#send(request), nonce, keyID: to.keyID };
    };
    const first = await ask();
    if (first.answer["code"] !== "refused") return first;
    const newest = await proofKey(this.context, true);
    return newest.keyID === first.keyID ? first : ask();
  }

  /** A wrong PIN is recorded; everything else that is no success is thrown. */
  async isWrong(answer: JSONObject): Promise<boolean> {
    if (answer["code"] === "wrong_pin") {
      this.attempts = answer["attempts"] as PINPrompt["attempts"];
      return true;
    }
    if (answer["code"] === "ended") {
      const code = await (await this.messages()).ending(answer["statement"]);
      await this.context.records.write({ [this.#name]: null });
      const { forget } = await import("../core/leaving.js");
      await forget(this.context, this.record);
      throw new IdentityError(code, "the provider ended the profile");
    }
    if (answer["code"] !== "refused") return false;
    throw new IdentityError("notAuthorized", "the provider refused", { serverCode: "refused" });
  }

  // Before a prompt

  /** The secret for a sign-in. After an interrupted change the provider states the active one. */
  async active(): Promise<SealedSecret> {
    const { current, offered } = await this.state();
    if (current === undefined && offered !== undefined) return offered;
    if (offered !== undefined) await this.#resolve(offered);
    const active = (await this.state()).current;
    if (active !== undefined) return active;
    throw new IdentityError("pinOutdated", "the profile has no active PIN");
  }

  async #resolve(offered: SealedSecret): Promise<void> {
    const messages = await this.messages();
    const nonce = await this.freshNonce();
    const answer = await this.#send(await messages.resolve(offered.ver, nonce));
    await this.isWrong(answer);
    await this.apply(await messages.version(answer["statement"], nonce));
  }

  /** Stores the secret that the provider states as active, without the other. */
  async apply(version: number): Promise<void> {
    const { current, offered } = await this.state();
    const active = [offered, current].find((one) => one?.ver === version);
    if (active === undefined && version !== 0) {
      throw new IdentityError("pinOutdated", `version ${version} of the PIN was never stored here`);
    }
    await this.save({ current: active });
  }

  /** A nonce that another response contained. */
  use(nonce: string): void { this.#nonce = { text: nonce, at: this.context.services.now() }; }
}
