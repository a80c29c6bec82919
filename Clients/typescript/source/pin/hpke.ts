// SPDX-License-Identifier: Apache-2.0
// HPKE in base mode, one message for each key schedule (RFC 9180): DHKEM(P-256, HKDF-SHA256),
// HKDF-SHA256, AES-256-GCM. Nothing is negotiated.
import { concat, utf8 } from "../core/bytes.js";
import { invalid } from "../core/errors.js";
import type { CryptoProvider } from "../core/seams.js";

export interface Box { readonly enc: Uint8Array; readonly ct: Uint8Array }

/** `AES-128-GCM` for the vector of appendix A.3.1; the protocol uses the other one. */
export type Cipher = 128 | 256;

const curve = { name: "ECDH", namedCurve: "P-256" };
const none = new Uint8Array(0);
/** HKDF takes a salt of zeros in place of an empty one (RFC 5869 section 2.2). */
const noSalt = new Uint8Array(32);

export const generateTransportKey = ({ subtle }: CryptoProvider): Promise<CryptoKeyPair> =>
  subtle.generateKey(curve, false, ["deriveBits"]) as Promise<CryptoKeyPair>;

/** The uncompressed point, 65 bytes (SEC 1 section 2.3.3). */
export const pointOf = async ({ subtle }: CryptoProvider, key: CryptoKey): Promise<Uint8Array> =>
  new Uint8Array(await subtle.exportKey("raw", key));

export async function hmac(
  { subtle }: CryptoProvider, key: Uint8Array, ...message: readonly Uint8Array[]
): Promise<Uint8Array> {
  const algorithm = { name: "HMAC", hash: "SHA-256" };
  const imported = await subtle.importKey("raw", key, algorithm, false, ["sign"]);
  return new Uint8Array(await subtle.sign("HMAC", imported, concat(...message)));
}

/** LabeledExtract and LabeledExpand of section 4, for at most 32 bytes. */
class Labeled {
  constructor(private readonly crypto: CryptoProvider, private readonly suite: Uint8Array) {}

  extract(salt: Uint8Array, label: string, key: Uint8Array): Promise<Uint8Array> {
    return hmac(this.crypto, salt, utf8("HPKE-v1"), this.suite, utf8(label), key);
  }

  async expand(
    key: Uint8Array, label: string, info: Uint8Array, length: number,
  ): Promise<Uint8Array> {
    const block = await hmac(
      this.crypto, key, Uint8Array.of(0, length), utf8("HPKE-v1"), this.suite, utf8(label), info,
      Uint8Array.of(1));
    return block.slice(0, length);
  }
}

/** Section 4.1, then section 5.1 with mode 0: key and nonce of the first message. */
async function schedule(
  crypto: CryptoProvider, ours: CryptoKey, theirs: CryptoKey, kemContext: Uint8Array,
  info: Uint8Array, cipher: Cipher,
) {
  const { subtle } = crypto;
  const dh = new Uint8Array(
    await subtle.deriveBits({ name: "ECDH", public: theirs }, ours, 256));
  const kem = new Labeled(crypto, concat(utf8("KEM"), Uint8Array.of(0, 16)));
  const prk = await kem.extract(noSalt, "eae_prk", dh);
  const shared = await kem.expand(prk, "shared_secret", kemContext, 32);
  const suite = Uint8Array.of(0, 16, 0, 1, 0, cipher === 256 ? 2 : 1);
  const hpke = new Labeled(crypto, concat(utf8("HPKE"), suite));
  const context = concat(
    Uint8Array.of(0), await hpke.extract(noSalt, "psk_id_hash", none),
    await hpke.extract(noSalt, "info_hash", info));
  const secret = await hpke.extract(shared, "secret", none);
  const raw = await hpke.expand(secret, "key", context, cipher / 8);
  return {
    key: await subtle.importKey("raw", raw, "AES-GCM", false, ["encrypt", "decrypt"]),
    iv: await hpke.expand(secret, "base_nonce", context, 12),
  };
}

/** WebCrypto rejects points off the curve; compressed ones have another length. */
async function importPoint({ subtle }: CryptoProvider, point: Uint8Array): Promise<CryptoKey> {
  if (point.length !== 65) throw invalid("the point is not uncompressed");
  return subtle.importKey("raw", point, curve, true, []);
}

/** Section 6.1, `Seal`. */
export async function seal(
  crypto: CryptoProvider, plaintext: Uint8Array, point: Uint8Array, info: Uint8Array,
  additionalData: Uint8Array,
): Promise<Box> {
  const ephemeral = await generateTransportKey(crypto);
  const enc = await pointOf(crypto, ephemeral.publicKey);
  const recipient = await importPoint(crypto, point);
  const { key, iv } = await schedule(
    crypto, ephemeral.privateKey, recipient, concat(enc, point), info, 256);
  const algorithm = { name: "AES-GCM", iv, additionalData };
  return { enc, ct: new Uint8Array(await crypto.subtle.encrypt(algorithm, key, plaintext)) };
}

/** Section 6.1, `Open`; throws for anything else than the output of `Seal`. */
export async function open(
  crypto: CryptoProvider, { enc, ct }: Box, pair: CryptoKeyPair, info: Uint8Array,
  additionalData: Uint8Array, cipher: Cipher = 256,
): Promise<Uint8Array> {
  const point = await pointOf(crypto, pair.publicKey);
  const { key, iv } = await schedule(
    crypto, pair.privateKey, await importPoint(crypto, enc), concat(enc, point), info, cipher);
  const algorithm = { name: "AES-GCM", iv, additionalData };
  return new Uint8Array(await crypto.subtle.decrypt(algorithm, key, ct));
}
