// SPDX-License-Identifier: Apache-2.0
// The messages of the PIN protocol, version 2 (docs/protocols/pin.md): requests that the device
// signs, and statements that the provider signs.
import { decode, encode } from "../core/bytes.js";
import type { Context } from "../core/context.js";
import { IdentityError, invalid } from "../core/errors.js";
import { JSONObject, readJWS, signClaims, thumbprint } from "../core/jws.js";
import type { Documents } from "../core/provider.js";
import type { Key, PublicJWK } from "../core/seams.js";
import { Box, open, pointOf, seal } from "./hpke.js";
import type { OpenedSecret } from "./secret.js";
import { Binding, proofOf, Purpose, transcript } from "./transcript.js";

/** The provider's key to which proofs are sealed. */
export interface ProofKey { readonly keyID: string; readonly point: Uint8Array }

/** Twice what the largest signature needs. */
const greatestLength = 4096;

async function proofKeyIn({ keys }: Documents, context: Context): Promise<ProofKey | undefined> {
  const jwk = keys.find(({ use, alg, crv }) =>
    use === "enc" && alg === "gatehouse-pin2-proof" && crv === "P-256") as PublicJWK | undefined;
  if (jwk === undefined) return undefined;
  const point = Uint8Array.of(4, ...decode(jwk.x), ...decode(jwk.y));
  return { keyID: await thumbprint(context.crypto, jwk), point };
}

/** Without such a key no proof is sent. */
export async function proofKey(context: Context, isNewest = false): Promise<ProofKey> {
  const { provider } = context;
  const known = isNewest ? undefined : await proofKeyIn(await provider.known(), context);
  const key = known ?? await proofKeyIn(await provider.fetch(), context);
  if (key !== undefined) return key;
  throw new IdentityError("methodNotSupported", "the provider has no PIN protocol version 2");
}

export class Messages {
  constructor(
    private readonly context: Context, private readonly key: Key, readonly binding: Binding,
  ) {}

  /** The first message, within a registration. */
  firstOffer(transportKey: Uint8Array, nonce: string): Promise<string> {
    return this.#sign("offer", nonce, { transport_key: encode(transportKey) });
  }

  resolve(version: number, nonce: string): Promise<string> {
    return this.#sign("resolve", nonce, { ver: version });
  }

  /** A message with a proof, which is sealed to the provider. A change has a transport key. */
  async prove(
    purpose: Purpose, secret: OpenedSecret, nonce: string, to: ProofKey,
    transportKey?: Uint8Array,
  ): Promise<string> {
    const { crypto } = this.context;
    const { version } = secret;
    const fields = transportKey === undefined ? [] : [transportKey];
    const tag = await proofOf(
      crypto, secret.bytes, purpose, this.binding, version, nonce, fields);
    const info = transcript("proof/sealed", this.binding, version, decode(nonce));
    const { enc, ct } = await seal(crypto, tag, to.point, info, to.point);
    return this.#sign(purpose === "change" ? "offer" : purpose, nonce, {
      ...transportKey !== undefined && { transport_key: encode(transportKey) },
      ver: version, proof_key: to.keyID, enc: encode(enc), ct: encode(ct),
    });
  }

  #sign(kind: string, nonce: string, members: JSONObject): Promise<string> {
    const header = { kid: this.binding.keyID, typ: `gatehouse-pin2-${kind}+jwt` };
    return signClaims(this.key, header, { aud: this.binding.issuer, jti: nonce, ...members });
  }

  /** Opens a delivery with the transport key, whose only use this is. */
  async delivery(
    statement: unknown, nonce: string, transport: CryptoKeyPair,
  ): Promise<OpenedSecret> {
    const { crypto } = this.context;
    const members = await this.#read("delivery", statement, ["ver", "enc", "ct"], nonce);
    const version = this.#version(members, 1);
    const box: Box = { enc: decode(String(members["enc"])), ct: decode(String(members["ct"])) };
    const point = await pointOf(crypto, transport.publicKey);
    const info = transcript("delivery", this.binding, version);
    const bytes = await open(crypto, box, transport, info, point).catch(() => new Uint8Array());
    if (bytes.length !== 32) throw invalid("the delivery is of another key");
    return { version, bytes };
  }

  /** The active version; 0 for none. */
  async version(statement: unknown, nonce: string): Promise<number> {
    return this.#version(await this.#read("version", statement, ["ver"], nonce), 0);
  }

  /** The reason for which the provider ended the profile. It stays valid, so it has no nonce. */
  async ending(statement: unknown): Promise<"profileLocked" | "deviceRevoked"> {
    const { reason } = await this.#read("ending", statement, ["iat", "reason"]);
    if (reason === "profile_locked") return "profileLocked";
    if (reason === "device_revoked") return "deviceRevoked";
    throw invalid("the ending has another reason");
  }

  #version({ ver }: JSONObject, least: number): number {
    if (typeof ver === "number" && Number.isInteger(ver) && ver >= least) return ver;
    throw invalid("the version is no number");
  }

  /** Reads a statement with exactly these members, of this type, to this key. */
  async #read(
    kind: string, statement: unknown, more: readonly string[], nonce?: string,
  ): Promise<JSONObject> {
    if (typeof statement !== "string" || statement.length > greatestLength) {
      throw invalid("the statement is missing");
    }
    const { header, claims, verify } = readJWS(statement);
    const jwk = await this.context.provider.findKey(header["kid"], String(header["alg"]));
    const isSigned = header["typ"] === `gatehouse-pin2-${kind}+jwt` && jwk !== undefined
      && await verify(this.context.crypto, jwk);
    if (!isSigned) throw invalid("the statement is not signed by the provider");
    const names = ["iss", "aud", ...nonce === undefined ? [] : ["nonce"], ...more];
    const isOurs = claims["iss"] === this.binding.issuer && claims["aud"] === this.binding.keyID
      && (nonce === undefined || claims["nonce"] === nonce);
    if (!isOurs || Object.keys(claims).sort().join() !== names.sort().join()) {
      throw invalid("the statement is of another request");
    }
    return claims;
  }
}
