// SPDX-License-Identifier: Apache-2.0
// What others ask people to approve in this browser (docs/approvals.md).

const approvalTexts = [
  "id", "client_id", "client_name", "message", "transaction_text", "nonce", "created_at",
  "expires_at",
];

/** Something that is asked, as it is shown; what cannot be read is shown to nobody. */
function approvalRequest(item, profile) {
  const dates = [Date.parse(item?.created_at), Date.parse(item?.expires_at)];
  if (!approvalTexts.every((name) => typeof item?.[name] === "string") || dates.some(isNaN)) {
    throw new IdentityError(
      "approvals", "invalidAnswer", "what the provider says of approvals cannot be read");
  }
  return Object.freeze({
    id: item.id, profile, clientID: item.client_id, clientName: item.client_name,
    message: item.message, transactionText: item.transaction_text, nonce: item.nonce,
    createdAt: new Date(dates[0]), expiresAt: new Date(dates[1]),
  });
}

/** What is signed: everything that was shown. */
async function approvalAnswer({ configuration, connection, store }, profile, request, decision) {
  const text = request.transactionText;
  const claims = {
    iss: profile.userID, sub: profile.userID, aud: configuration.issuer, jti: request.nonce,
    iat: Math.floor(connection.now / 1000), approval: request.id, client_id: request.clientID,
    message: request.message,
    transaction_hash: text === "" ? "" : encode(await sha256(utf8.encode(text))), decision,
  };
  const pair = profile.key && await store.read(`key/${profile.key}`);
  if (!pair || !profile.keyID) {
    throw new IdentityError(
      "approvals", "authenticatorNotRegistered", "the profile has no key that could sign");
  }
  const header = { alg: "ES256", typ: "gatehouse-approval+jwt", kid: profile.keyID };
  return sign(json(claims), header, pair.privateKey);
}

/** Nothing asks on its own: say `received` when a push comes, or the page is in front again. */
class Approvals {
  #book;
  #readers = new Set();

  constructor(book) { this.#book = book; }

  #ask(profileID, name, options) {
    return askAsPerson(this.#book, profileID, name, options, "approvals");
  }

  /** Has this browser asked from now on. */
  async enroll(profileID, { pushToken } = {}) {
    try {
      await this.#ask(profileID, "approval_enrollment", {
        method: "PUT", body: { push_token: pushToken },
      });
    } catch (error) {
      if (error.serverCode !== "unknown_installation") throw error;
      // A profile without a key is a person's who only signed in.
      throw new IdentityError(
        "approvals", "approvalsNotOffered", "the profile has no key that could sign",
        { serverCode: error.serverCode });
    }
  }

  /** Has this browser asked no more. */
  async unenroll(profileID) {
    await this.#ask(profileID, "approval_enrollment", { method: "DELETE" });
  }

  /** Whether this browser is asked; `null` when it is not. */
  async enrollment(profileID) {
    try {
      const answer = await this.#ask(profileID, "approval_enrollment", {});
      return Object.freeze({
        enrolledAt: new Date(answer.enrolled_at), hasPushToken: answer.has_push_token === true,
      });
    } catch (error) {
      if (error.code === "notEnrolled") return null;
      throw error;
    }
  }

  /** What waits for the person's answer, the oldest first. */
  async pending(profileID) {
    const profile = shown(await this.#book.stored(profileID));
    const { items } = await this.#ask(profile.id, "approvals", {});
    return (Array.isArray(items) ? items : []).map((item) => approvalRequest(item, profile));
  }

  /** The approval whose code is shown elsewhere: letters, or an address that carries them. */
  async resolve(code, profileID) {
    const profile = shown(await this.#book.stored(profileID));
    const scanned = URL.canParse(code) ? new URL(code).searchParams.get("approval_code") : null;
    const body = { code: scanned ?? String(code) };
    const item = await this.#ask(profile.id, "approval_claim", { method: "POST", body });
    return approvalRequest(item, profile);
  }

  /** What is asked from now on, beginning with what waits already; each request once. */
  async *requests(profileID, { signal } = {}) {
    let [isRung, wake, seen] = [true, () => {}, new Set()];
    const ring = () => { isRung = true; wake(); };
    this.#readers.add(ring);
    signal?.addEventListener("abort", ring);
    try {
      while (!signal?.aborted) {
        if (!isRung) await new Promise((done) => { wake = done; });
        isRung = false;
        if (signal?.aborted) return;
        let waiting;
        try { waiting = await this.pending(profileID); } catch (error) {
          // Being offline does not end it.
          if (isAboutTheWay(error)) continue;
          throw error;
        }
        const news = waiting.filter(({ id }) => !seen.has(id));
        seen = new Set(waiting.map(({ id }) => id));
        yield* news;
      }
    } finally {
      this.#readers.delete(ring);
      signal?.removeEventListener("abort", ring);
    }
  }

  /** Everybody who reads `requests` looks. */
  received() { for (const ring of this.#readers) ring(); }

  /** Asks the page, and sends what it says, signed by this browser's key. */
  async handle(request, decide) {
    const isApproved = await decide(request);
    if (typeof isApproved !== "boolean") {
      throw new IdentityError("approvals", "cancelled", "neither yes nor no: it waits on");
    }
    const profile = await this.#book.stored(request.profile.id);
    const decision = isApproved ? "approved" : "denied";
    const answer = await approvalAnswer(this.#book, profile, request, decision);
    const path = `/${encodeURIComponent(request.id)}`;
    const send = () => this.#ask(profile.id, "approvals", {
      method: "POST", path, body: { answer },
    });
    try { await send(); } catch (error) {
      // The same answer may come again: its own may have been lost.
      if (error.code !== "notReachable") throw error;
      await send();
    }
    return decision;
  }
}
