// SPDX-License-Identifier: Apache-2.0
// Requests of other clients that a person approves on this device (docs/approvals.md).
import { encode, sha256, utf8 } from "../core/bytes.js";
import type { CoreClient } from "../core/client.js";
import type { Context } from "../core/context.js";
import { cancelled, IdentityError, invalid, isOffline } from "../core/errors.js";
import { JSONObject, signClaims } from "../core/jws.js";
import { sendAs } from "../core/leaving.js";
import { ProfileRecord, profileOf } from "../core/records.js";
import type { Exchange } from "../core/transport.js";
import type { Profile } from "../core/types.js";

/** A request. Display all of it: the answer signs all of it. */
export interface ApprovalRequest {
  readonly id: string;
  readonly profile: Profile;
  readonly clientID: string;
  readonly clientName: string;
  readonly message: string;
  readonly transactionText: string;
  readonly nonce: string;
  readonly createdAt: Date;
  readonly expiresAt: Date;
}

/** A request that is not complete is not displayed. */
function read(item: JSONObject, profile: Profile): ApprovalRequest {
  const text = (name: string): string => {
    const value = item[name];
    if (typeof value !== "string") throw invalid(`the approval request has no ${name}`);
    return value;
  };
  const date = (name: string): Date => {
    const value = new Date(text(name));
    if (Number.isNaN(value.getTime())) throw invalid(`${name} is no date`);
    return value;
  };
  return Object.freeze({
    id: text("id"), profile, clientID: text("client_id"), clientName: text("client_name"),
    message: text("message"), transactionText: text("transaction_text"), nonce: text("nonce"),
    createdAt: date("created_at"), expiresAt: date("expires_at"),
  });
}

export class Approvals {
  readonly #context: Context;
  readonly #wakers = new Set<() => void>();

  constructor(client: CoreClient) { this.#context = client.context; }

  async #send(profile: Profile, name: string, exchange: Exchange & { path?: string } = {}) {
    return sendAs(this.#context, await this.#context.stored(profile), name, exchange);
  }

  /** From now on this device receives requests; again if the push token changed. */
  async enroll(profile: Profile, { pushToken }: { pushToken?: string } = {}): Promise<void> {
    const json = { push_token: pushToken };
    await this.#send(profile, "approval_enrollment", { method: "PUT", json });
  }

  async unenroll(profile: Profile): Promise<void> {
    await this.#send(profile, "approval_enrollment", { method: "DELETE" });
  }

  /** Since when this device receives requests; `null` if it does not. */
  async enrolledAt(profile: Profile): Promise<Date | null> {
    try {
      const answer = await this.#send(profile, "approval_enrollment");
      return new Date(String(answer["enrolled_at"]));
    } catch (error) {
      if (error instanceof IdentityError && error.code === "notEnrolled") return null;
      throw error;
    }
  }

  /** The open requests, the oldest first. */
  async pending(profile: Profile): Promise<ApprovalRequest[]> {
    const { items } = await this.#send(profile, "approvals");
    return Array.isArray(items) ? items.map((item) => read(item as JSONObject, profile)) : [];
  }

  /** The request whose code another screen displays: the code, or a URL that contains it. */
  async resolve(code: string, profile: Profile): Promise<ApprovalRequest> {
    const scanned = /[?&]approval_code=([^&#]+)/.exec(code)?.[1];
    const json = { code: scanned === undefined ? code : decodeURIComponent(scanned) };
    return read(await this.#send(profile, "approval_claim", { method: "POST", json }), profile);
  }

  /** Each request once, beginning with the open ones. It looks at the start and on `received`. */
  async *requests(
    profile: Profile, { signal }: { signal?: AbortSignal } = {},
  ): AsyncGenerator<ApprovalRequest> {
    let [isRung, wake] = [true, () => {}];
    let seen = new Set<string>();
    const ring = () => { isRung = true; wake(); };
    this.#wakers.add(ring);
    signal?.addEventListener("abort", ring);
    try {
      while (!signal?.aborted) {
        if (!isRung) await new Promise<void>((done) => { wake = done; });
        isRung = false;
        if (signal?.aborted) return;
        const open = await this.pending(profile).catch((error: unknown) => {
          if (isOffline(error)) return undefined;
          throw error;
        });
        if (open === undefined) continue;
        const news = open.filter(({ id }) => !seen.has(id));
        seen = new Set(open.map(({ id }) => id));
        for (const request of news) yield request;
      }
    } finally {
      this.#wakers.delete(ring);
      signal?.removeEventListener("abort", ring);
    }
  }

  /** A push arrived, or the app is in front again. */
  received(): void { for (const ring of this.#wakers) ring(); }

  /** Sends the person's answer, signed by the key of this device over everything displayed. */
  async answer(
    request: ApprovalRequest, decide: (request: ApprovalRequest) => boolean | Promise<boolean>,
  ): Promise<"approved" | "denied"> {
    const isApproved = await decide(request);
    if (typeof isApproved !== "boolean") throw cancelled("neither yes nor no");
    const decision = isApproved ? "approved" : "denied";
    const record = await this.#context.stored(request.profile);
    const json = { answer: await this.#signed(record, request, decision) };
    const path = `/${encodeURIComponent(request.id)}`;
    const send = () => sendAs(
      this.#context, record, "approvals", { method: "POST", path, json });
    // The same answer is accepted twice: the first response may be lost.
    try { await send(); } catch (error) {
      if (!(error instanceof IdentityError && error.code === "notReachable")) throw error;
      await send();
    }
    return decision;
  }

  async #signed(record: ProfileRecord, request: ApprovalRequest, decision: string) {
    const { crypto, provider, settings } = this.#context;
    if (record.key === undefined || record.keyID === undefined) {
      throw new IdentityError(
        "authenticatorNotRegistered", `${profileOf(record).name} has no key that could sign`);
    }
    const { key } = await this.#context.key(record.key);
    const text = request.transactionText;
    return signClaims(key, { typ: "gatehouse-approval+jwt", kid: record.keyID }, {
      iss: record.userID, sub: record.userID, aud: settings.issuer, jti: request.nonce,
      iat: Math.floor(provider.transport.now / 1000), approval: request.id,
      client_id: request.clientID, message: request.message,
      transaction_hash: text === "" ? "" : encode(await sha256(crypto, utf8(text))), decision,
    });
  }
}
