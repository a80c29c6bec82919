// SPDX-License-Identifier: Apache-2.0
// The provider: its documents, its named endpoints and its token endpoint.
import { IdentityError, invalid, isOffline } from "./errors.js";
import { proofOfPossession } from "./dpop.js";
import { Claims, verifyIDToken } from "./id-token.js";
import type { JSONObject } from "./jws.js";
import type { Records } from "./records.js";
import type { CryptoProvider, Key, Services } from "./seams.js";
import { Exchange, isProtected, Transport } from "./transport.js";

/** OpenID Connect Discovery, `/.well-known/gatehouse` and the JWK set. */
export interface Documents {
  readonly metadata: JSONObject;
  readonly gatehouse: Readonly<Record<string, JSONObject | undefined>>;
  readonly keys: readonly (JsonWebKey & { readonly kid?: string; readonly alg?: string })[];
  readonly fetchedAt: number;
}

/** Tokens as they are stored. Times are milliseconds by the clock of this device. */
export interface Tokens {
  readonly accessToken: string;
  readonly refreshToken?: string | undefined;
  readonly obtainedAt: number;
  readonly expiresAt: number;
  readonly scope: string;
  readonly idToken?: string | undefined;
  readonly claims?: Claims | undefined;
  /** Grows with each sign-in and renewal, so that a tab recognizes newer tokens. */
  readonly generation: number;
  /** The name of the key to which they are bound. */
  readonly key?: string | undefined;
}

export interface NamedKey { readonly name: string; readonly key: Key }

/** What a grant's response must match. */
export interface GrantOptions {
  readonly key: NamedKey | undefined;
  readonly nonce?: string | undefined;
  readonly subject?: string | undefined;
  readonly maxAge?: number | undefined;
  readonly signal?: AbortSignal | undefined;
}

const day = 86_400_000;
const freshness = 300_000;

export class Provider {
  readonly transport: Transport;
  readonly #crypto: CryptoProvider;
  #documents: Documents | undefined;

  constructor(
    readonly issuer: string, readonly clientID: string, seconds: number,
    private readonly services: Services, private readonly records: Records,
  ) {
    this.transport = new Transport(services, issuer, seconds);
    this.#crypto = services.crypto;
  }

  /** Of any age: endpoints rarely change, and a renewal is one request then. */
  async known(): Promise<Documents> {
    this.#documents ??= await this.records.read<Documents>("provider").catch(() => undefined);
    return this.#documents ?? this.fetch();
  }

  /** At most five minutes old, unless the provider cannot be reached. */
  async documents(): Promise<Documents> {
    const stored = this.#documents
      ?? await this.records.read<Documents>("provider").catch(() => undefined);
    const age = this.services.now() - (stored?.fetchedAt ?? 0);
    if (stored !== undefined && age >= 0 && age < freshness) return (this.#documents = stored);
    try { return await this.fetch(); } catch (error) {
      if (stored === undefined || !isOffline(error)) throw error;
      return (this.#documents = stored);
    }
  }

  async fetch(): Promise<Documents> {
    const { issuer } = this;
    const [metadata, gatehouse] = await Promise.all([
      this.transport.send(`${issuer}/.well-known/openid-configuration`),
      this.#extensions(),
    ]);
    // OpenID Connect Discovery section 4.3.
    if (metadata["issuer"] !== issuer) throw invalid("the metadata are another issuer's");
    for (const name of ["authorization_endpoint", "token_endpoint", "jwks_uri"]) {
      if (!isProtected(metadata[name])) throw invalid(`${name} is missing or not protected`);
    }
    const { keys } = await this.transport.send(String(metadata["jwks_uri"]));
    if (!Array.isArray(keys)) throw invalid("the JWK set has no keys");
    this.#documents = { metadata, gatehouse, keys, fetchedAt: this.services.now() };
    await this.records.write({ provider: this.#documents }).catch(() => {});
    return this.#documents;
  }

  /** Another OpenID provider has no such document. */
  async #extensions(): Promise<Documents["gatehouse"]> {
    try {
      const document = await this.transport.send(`${this.issuer}/.well-known/gatehouse`);
      return document as Documents["gatehouse"];
    } catch (error) {
      if (error instanceof IdentityError && error.code === "foreignAnswer") return {};
      throw error;
    }
  }

  /** The URL of a name in `/.well-known/gatehouse`. */
  async url(name: string, section = "registration"): Promise<string> {
    const url = (await this.documents()).gatehouse[section]?.[name];
    if (typeof url === "string" && url.startsWith(`${this.issuer}/`)) return url;
    throw new IdentityError("methodNotSupported", `the provider has no ${section} ${name}`);
  }

  /** Sends a request to a named endpoint in the name of this client. */
  async send(name: string, exchange: Exchange & {
    readonly section?: string | undefined; readonly path?: string | undefined;
  } = {}): Promise<JSONObject> {
    const url = await this.url(name, exchange.section) + (exchange.path ?? "");
    const client = new URLSearchParams({ client_id: this.clientID });
    return this.transport.send(`${url}?${client}`, exchange);
  }

  /** Whether tokens can be bound to a P-256 key (RFC 9449 section 5.1). */
  async bindsTokens(): Promise<boolean> {
    const algorithms = (await this.known()).metadata["dpop_signing_alg_values_supported"];
    return Array.isArray(algorithms) && algorithms.includes("ES256");
  }

  /** Sends a grant to the token endpoint; verifies the ID token of the response. */
  async grant(fields: Exchange["form"], options: GrantOptions): Promise<Tokens> {
    const { key, nonce, subject, maxAge, signal } = options;
    const obtainedAt = this.services.now();
    const binds = key !== undefined && await this.bindsTokens() ? key : undefined;
    const authorize = binds && (async (method: string, url: string, given?: string) => ({
      DPoP: await proofOfPossession(
        this.#crypto, binds.key, method, url, { nonce: given, now: this.transport.now }),
    }));
    const body = await this.transport.send(
      String((await this.known()).metadata["token_endpoint"]),
      { method: "POST", signal, authorize, form: { ...fields, client_id: this.clientID } });
    const { access_token: accessToken, id_token: idToken, refresh_token: refreshToken } = body;
    const type = String(body["token_type"]).toLowerCase();
    if (typeof accessToken !== "string" || !["dpop", "bearer"].includes(type)
      || (type === "dpop" && binds === undefined)) {
      throw invalid("the token response has no usable token");
    }
    const expected = {
      issuer: this.issuer, clientID: this.clientID, now: this.transport.now, accessToken, nonce,
      subject, maxAge,
    };
    const claims = typeof idToken === "string"
      ? await verifyIDToken(this.#crypto, idToken, expected, this.findKey) : undefined;
    if (claims === undefined && nonce !== undefined) throw invalid("the ID token is missing");
    const life = Math.min(Math.max(Number(body["expires_in"]) || 0, 0) * 1000, 365 * day);
    return {
      accessToken, obtainedAt, expiresAt: obtainedAt + life, generation: 0, claims,
      refreshToken: typeof refreshToken === "string" ? refreshToken : undefined,
      scope: typeof body["scope"] === "string" ? body["scope"] : "",
      idToken: typeof idToken === "string" ? idToken : undefined,
      key: type === "dpop" ? binds?.name : undefined,
    };
  }

  /** A key that is not known is searched for once more: the provider may have rotated. */
  readonly findKey = async (kid: unknown, alg: string) => {
    const find = ({ keys }: Documents) =>
      keys.find((key) => key.kid === kid && (key.alg ?? alg) === alg);
    return find(await this.known()) ?? find(await this.fetch());
  };
}
