// SPDX-License-Identifier: Apache-2.0
// Registering by a service of the operator's own, in its one step or two
// (docs/identity-providers.md): asks the page, asks the service, and has the evidence in the end.

const longestData = 8192;

/** What the operator's service has said; `undefined` when it has no part in the answer. */
function payloadOf(body) {
  if (!Number.isInteger(body?.provider_status)) return undefined;
  const data = typeof body.data === "string" ? body.data : undefined;
  return Object.freeze({ status: body.provider_status, data });
}

/** The operator's own services by which people may register here, as they are now. */
async function identityProviders({ connection }, signal) {
  const { body } = await connection.registration("identity_providers", { signal }, "registration");
  const known = ["customOneStep", "customTwoStep"];
  return (Array.isArray(body.items) ? body.items : [])
    .filter(({ id, method }) => typeof id === "string" && known.includes(method))
    .map(({ id, name, method }) => Object.freeze({ id, name: name ?? id, method }));
}

class CustomDialogue {
  #book;
  #provider;
  #registrationID;
  #answer;
  #signal;
  /** Of the first step of two, as it goes on; nobody but the provider can read it. */
  #transaction;
  #hasBegun = false;
  /**
   * For the registration that is sent next. Empty until the page has been asked: enough for one
   * that was made before, whose answer was lost.
   */
  evidence = {};

  constructor(book, provider, registrationID, answer, signal) {
    [this.#book, this.#provider, this.#registrationID] = [book, provider, registrationID];
    [this.#answer, this.#signal] = [answer, signal];
  }

  /** Asks for what the first registration needs. */
  async begin() {
    this.#hasBegun = true;
    const payload = this.#provider.method === "customTwoStep" ? await this.#start() : undefined;
    await this.#complete(payload);
  }

  /** Asks again after a refusal that leaves room for it; `false` when the refusal is the end. */
  async goOn({ serverCode, [said]: body }) {
    if (serverCode === "missing_input" && !this.#hasBegun) {
      await this.begin();
    } else if (serverCode === "try_again") {
      this.#transaction = body?.transaction ?? this.#transaction;
      await this.#complete(payloadOf(body));
    } else {
      return false;
    }
    return true;
  }

  /** The first of two steps, until the service agrees to it. */
  async #start() {
    for (let payload; ;) {
      const data = await this.#ask("start", payload);
      try {
        const { body } = await this.#send("start", {
          identity_provider: this.#provider.id, registration_id: this.#registrationID, data,
        });
        if (typeof body.transaction !== "string") {
          throw invalid("the first step has no transaction");
        }
        this.#transaction = body.transaction;
        return payloadOf(body);
      } catch (error) {
        if (error.serverCode !== "try_again") throw error;
        payload = payloadOf(error[said]);
      }
    }
  }

  async #complete(payload) {
    const data = await this.#ask("complete", payload);
    this.evidence = this.#transaction
      ? { transaction: this.#transaction, data }
      : { identity_provider: this.#provider.id, data };
  }

  async #ask(stage, payload) {
    const challenge = { identityProvider: this.#provider, stage, payload };
    const data = await this.#answer(Object.freeze(challenge)) ?? undefined;
    if (this.#signal?.aborted) {
      throw new IdentityError("registration", "cancelled", "it was cancelled");
    }
    const isShort = data === undefined
      || (typeof data === "string" && utf8.encode(data).length <= longestData);
    if (isShort) return data;
    throw new IdentityError(
      "registration", "requestInvalid", `data is text of at most ${longestData} bytes`);
  }

  #send(name, body, signal = this.#signal) {
    return this.#book.connection.registration(
      name, { method: "POST", body, signal }, "registration");
  }

  /** Tells the service that nobody will complete it. Whoever gave up does not wait for that. */
  abandon(error) {
    const isGivenUp = !(error instanceof IdentityError) || error.code === "cancelled";
    if (!isGivenUp || !this.#transaction) return;
    this.#send("cancel", { transaction: this.#transaction }, null).catch(() => {});
  }
}

async function registerWith(
  book, id, answer, { idempotencyKey = crypto.randomUUID(), signal } = {},
) {
  const provider = (await identityProviders(book, signal)).find((known) => known.id === id);
  if (!provider) {
    throw new IdentityError(
      "registration", "identityProviderInvalid", `the project has no identity provider ${id}`);
  }
  const dialogue = new CustomDialogue(book, provider, idempotencyKey, answer, signal);
  const evidence = async () => dialogue.evidence;
  try {
    return await register(
      book, { method: provider.method, evidence, dialogue }, { idempotencyKey, signal });
  } catch (error) {
    dialogue.abandon(error);
    throw error;
  }
}
