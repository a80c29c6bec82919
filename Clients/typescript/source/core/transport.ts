// SPDX-License-Identifier: Apache-2.0
// One HTTP exchange with the provider.
import { IdentityError } from "./errors.js";
import { needsNonce, Nonces } from "./dpop.js";
import type { JSONObject } from "./jws.js";
import { foreign, refusal } from "./refusals.js";
import type { Services } from "./seams.js";

/** Creates the headers that authorize one request. */
export type Authorize = (
  method: string, url: string, nonce: string | undefined,
) => Promise<Readonly<Record<string, string>>>;

export interface Exchange {
  readonly method?: string;
  readonly form?: Readonly<Record<string, string | undefined>>;
  readonly json?: JSONObject;
  readonly authorize?: Authorize | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** https, or http on this device, without user information and fragment. */
export function isProtected(text: unknown): text is string {
  try {
    const url = new URL(String(text));
    if (url.username !== "" || url.password !== "" || url.hash !== "") return false;
    const isLocal = ["localhost", "127.0.0.1", "[::1]"].includes(url.hostname);
    return url.protocol === "https:" || (url.protocol === "http:" && isLocal);
  } catch { return false; }
}

/** A signal that is aborted after a time or with another one. */
function limited(seconds: number, signal: AbortSignal | undefined) {
  const controller = new AbortController();
  const abort = () => controller.abort();
  const timer = setTimeout(abort, seconds * 1000);
  if (signal?.aborted) abort();
  signal?.addEventListener("abort", abort);
  const end = () => {
    clearTimeout(timer);
    signal?.removeEventListener("abort", abort);
  };
  return { signal: controller.signal, end };
}

function content({ form, json }: Exchange): { body?: string; type?: string } {
  if (json !== undefined) return { body: JSON.stringify(json), type: "application/json" };
  if (form === undefined) return {};
  const fields = Object.entries(form).filter((field): field is [string, string] =>
    field[1] !== undefined);
  return {
    body: new URLSearchParams(fields).toString(), type: "application/x-www-form-urlencoded",
  };
}

function parse(text: string): JSONObject | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === "object" && value !== null ? value as JSONObject : undefined;
  } catch { return undefined; }
}

export class Transport {
  readonly nonces = new Nonces();
  /** Milliseconds from this device's clock to the provider's. */
  #offset = 0;

  constructor(
    private readonly services: Services, private readonly issuer: string,
    private readonly seconds: number,
  ) {}

  /** Milliseconds, by the provider's clock. */
  get now(): number { return this.services.now() + this.#offset; }

  /** Sends a request and returns the JSON object of a success; throws everything else. */
  async send(url: string, exchange: Exchange = {}): Promise<JSONObject> {
    const first = await this.#once(url, exchange);
    // RFC 9449 section 8: the same request again with the nonce.
    const again = exchange.authorize !== undefined && first.isNew
      && needsNonce(first.headers, first.body?.["error"]);
    const { status, headers, text, body } = again ? await this.#once(url, exchange) : first;
    if (status < 200 || status > 299) throw refusal(status, headers, body);
    if (status !== 204 && text !== "" && body === undefined) throw foreign(status, headers);
    return body ?? {};
  }

  async #once(url: string, exchange: Exchange) {
    const method = exchange.method ?? "GET";
    const { body, type } = content(exchange);
    const proofs = await exchange.authorize?.(method, url, this.nonces.find(url));
    const headers = { ...type !== undefined && { "Content-Type": type }, ...proofs };
    const limit = limited(this.seconds, exchange.signal);
    try {
      const response = await this.services.fetch(url, {
        method, headers, body: body ?? null, mode: "cors", credentials: "omit", cache: "no-store",
        redirect: "error", referrerPolicy: "no-referrer", signal: limit.signal,
      });
      const text = await response.text();
      this.#adjust(url, response.headers);
      const isNew = this.nonces.update(url, response.headers);
      return { status: response.status, headers: response.headers, text, body: parse(text), isNew };
    } catch (cause) {
      if (exchange.signal?.aborted) throw new IdentityError("cancelled", "aborted", { cause });
      this.services.log?.(`${method} ${url}: ${String(cause)}`);
      throw new IdentityError("notReachable", `${method} ${url}: ${String(cause)}`, { cause });
    } finally { limit.end(); }
  }

  /** `Date` has seconds and was on its way: only a clearly wrong clock is corrected. */
  #adjust(url: string, headers: Headers): void {
    const date = Date.parse(headers.get("date") ?? "");
    if (Number.isNaN(date) || !url.startsWith(`${this.issuer}/`)) return;
    const offset = date - this.services.now();
    this.#offset = Math.abs(offset) > 60_000 ? offset : 0;
  }
}
