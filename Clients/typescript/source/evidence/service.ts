// SPDX-License-Identifier: Apache-2.0
// Registration by a service of the operator, in one step or two (docs/identity-providers.md).
import { utf8 } from "../core/bytes.js";
import type { Context } from "../core/context.js";
import { cancelled, IdentityError, invalid } from "../core/errors.js";
import { Dialogue, registerInstallation } from "../core/registering.js";
import { payloadOf } from "../core/refusals.js";
import type { CustomPayload, CustomPrompt, IdentityProvider, Registration } from "../core/types.js";

/** Bytes of the text that the person may send. */
const greatestLength = 8192;

class ServiceDialogue implements Dialogue {
  readonly method: string;
  /** Continues the first of two steps; only the provider can read it. */
  #transaction: string | undefined;
  #hasBegun = false;
  /** Empty until the person was asked: enough for a registration that exists already. */
  #evidence: Readonly<Record<string, unknown>> = {};

  constructor(
    private readonly context: Context, readonly identityProvider: IdentityProvider,
    private readonly id: string, private readonly signal: AbortSignal | undefined,
  ) { this.method = identityProvider.method ?? "customOneStep"; }

  async evidence(): Promise<Readonly<Record<string, unknown>>> { return this.#evidence; }

  async begin(): Promise<void> {
    this.#hasBegun = true;
    await this.#complete(this.method === "customTwoStep" ? await this.#start() : undefined);
  }

  async resume({ serverCode, body, info }: IdentityError): Promise<boolean> {
    if (serverCode === "missing_input" && !this.#hasBegun) {
      await this.begin();
      return true;
    }
    if (serverCode !== "try_again") return false;
    if (typeof body?.["transaction"] === "string") this.#transaction = body["transaction"];
    await this.#complete(info);
    return true;
  }

  /** The first of two steps, until the service accepts it. */
  async #start(): Promise<CustomPayload | undefined> {
    for (let payload: CustomPayload | undefined; ;) {
      const data = await this.#prompt("start", payload);
      try {
        const body = await this.context.provider.send("start", {
          method: "POST", signal: this.signal, json: {
            identity_provider: this.identityProvider.id, registration_id: this.id, data,
          },
        });
        if (typeof body["transaction"] !== "string") throw invalid("there is no transaction");
        this.#transaction = body["transaction"];
        return payloadOf(body);
      } catch (error) {
        if (!(error instanceof IdentityError && error.serverCode === "try_again")) throw error;
        payload = error.info;
      }
    }
  }

  async #complete(payload: CustomPayload | undefined): Promise<void> {
    const data = await this.#prompt("complete", payload);
    this.#evidence = this.#transaction === undefined
      ? { identity_provider: this.identityProvider.id, data }
      : { transaction: this.#transaction, data };
  }

  async #prompt(stage: CustomPrompt["stage"], payload: CustomPayload | undefined) {
    const answer = this.context.settings.prompter?.answer;
    if (answer === undefined) {
      throw new IdentityError("configurationInvalid", "implement prompter.answer");
    }
    const { identityProvider } = this;
    const prompt = { identityProvider, stage, ...payload && { payload } };
    const data = await answer(Object.freeze(prompt));
    if (this.signal?.aborted) throw cancelled("aborted");
    if (typeof data === "string" && utf8(data).length > greatestLength) {
      throw new IdentityError("requestInvalid", `more than ${greatestLength} bytes`);
    }
    return data ?? undefined;
  }

  /** Notifies a service that waits for its second step. */
  abandon(error: unknown): void {
    const isGivenUp = !(error instanceof IdentityError) || error.kind === "cancelled";
    if (!isGivenUp || this.#transaction === undefined) return;
    this.context.provider.send("cancel", {
      method: "POST", json: { transaction: this.#transaction },
    }).catch(() => {});
  }
}

export async function registerByService(
  context: Context, identityProvider: IdentityProvider,
  { id, signal }: { id: string; signal: AbortSignal | undefined },
): Promise<Registration> {
  const evidence = new ServiceDialogue(context, identityProvider, id, signal);
  try { return await registerInstallation(context, { id, evidence, signal }); } catch (error) {
    evidence.abandon(error);
    throw error;
  }
}
