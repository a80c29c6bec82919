// SPDX-License-Identifier: Apache-2.0
// A small provider in memory, for tests without network. It verifies what it gets; the transcripts
// of the PIN protocol are written here a second time, from docs/protocols/pin.md.
import { createHash, createHmac, createPublicKey, randomBytes, verify, webcrypto } from "node:crypto";
import { open, seal } from "../../dist/pin/hpke.js";

const { subtle } = webcrypto;
const base64 = (bytes) => Buffer.from(bytes).toString("base64url");
const bytes = (text) => new Uint8Array(Buffer.from(text, "base64url"));
const part = (value) => base64(JSON.stringify(value));
const read = (text) => JSON.parse(Buffer.from(text, "base64url"));

export const thumbprint = ({ crv, kty, x, y }) =>
  createHash("sha256").update(JSON.stringify({ crv, kty, x, y })).digest("base64url");

/** Header and claims of a JWS, if the key signed it. */
export function opened(token, jwk) {
  const [header, claims, signature] = token.split(".");
  const key = createPublicKey({ key: jwk ?? read(header).jwk, format: "jwk" });
  const isSigned = verify(
    "sha256", Buffer.from(`${header}.${claims}`), { key, dsaEncoding: "ieee-p1363" },
    Buffer.from(signature, "base64url"));
  if (!isSigned) throw new Error("the signature is wrong");
  return { header: read(header), claims: Buffer.from(claims, "base64url") };
}

const json = (status, body, headers = {}) => new Response(
  status === 204 ? null : JSON.stringify(body),
  { status, headers: { "content-type": "application/json", ...headers } });

export class FakeProvider {
  issuer = "https://id.example";
  /** Requests: method and path. */
  requests = [];
  codes = new Map();
  grants = new Map();
  installations = new Map();
  nonces = new Set();
  /** The person at the browser. */
  sub = "person-1";
  /** Changes the claims of ID tokens. */
  claims = {};
  scopes = "openid profile offline_access registration";
  pin = { use: "off", policy: {
    length: 5, maximum_repeats: 2, allows_sequences: false, blocked: ["24680"] }, attempts: 3 };
  dpopNonce;

  static async make() {
    const provider = new FakeProvider();
    provider.signing = await subtle.generateKey(
      { name: "ECDSA", namedCurve: "P-256" }, true, ["sign", "verify"]);
    await provider.rotateProofKey();
    return provider;
  }

  async rotateProofKey() {
    this.proof = await subtle.generateKey(
      { name: "ECDH", namedCurve: "P-256" }, true, ["deriveBits"]);
    const { kty, crv, x, y } = await subtle.exportKey("jwk", this.proof.publicKey);
    this.proofJWK = { kty, crv, x, y, use: "enc", alg: "gatehouse-pin2-proof" };
    this.proofJWK.kid = thumbprint(this.proofJWK);
  }

  fetch = async (input, init = {}) => {
    const url = new URL(String(input));
    const method = init.method ?? "GET";
    this.requests.push(`${method} ${url.pathname}`);
    const headers = init.headers ?? {};
    const isForm = headers["Content-Type"] === "application/x-www-form-urlencoded";
    const body = init.body == null ? {}
      : isForm ? Object.fromEntries(new URLSearchParams(init.body)) : JSON.parse(init.body);
    try {
      return await this.answer(method, url, body, headers);
    } catch (error) {
      return json(400, { error: "invalid_grant", code: error.code, detail: String(error) });
    }
  };

  async answer(method, url, body, headers) {
    const at = (path) => this.issuer + path;
    switch (`${method} ${url.pathname}`) {
      case "GET /.well-known/openid-configuration":
        return json(200, {
          issuer: this.issuer, authorization_endpoint: at("/authorize"), jwks_uri: at("/jwks"),
          token_endpoint: at("/token"), revocation_endpoint: at("/revoke"),
          userinfo_endpoint: at("/userinfo"), end_session_endpoint: at("/end"),
          dpop_signing_alg_values_supported: ["ES256"],
          authorization_response_iss_parameter_supported: true, ...this.metadata,
        });
      case "GET /.well-known/gatehouse":
        return json(200, {
          registration: {
            methods: ["oidc", "testKey"], challenge: at("/registration/challenge"),
            register: at("/registration"), sign_in_challenge: at("/registration/sign-in"),
            pin_challenge: at("/registration/pin/challenge"), pin: at("/registration/pin"),
            installations: at("/registration/installations"),
            sign_ins: at("/registration/sign-ins"),
          }, pin: { versions: [1, 2] },
        });
      case "GET /jwks": return json(200, { keys: [await this.jwk(), this.proofJWK] });
      case "POST /registration/challenge":
        return json(200, { ...this.nonce(), ...this.pin.use !== "off" && { pin: this.pin } });
      case "POST /registration/sign-in": return json(200, this.nonce());
      case "POST /registration/pin/challenge":
        return json(200, { ...this.nonce(), pin: this.pin });
      case "POST /registration": return this.register(body);
      case "POST /registration/pin": return this.pinMessage(body.request);
      case "POST /token": return this.token(body, headers);
      case "POST /revoke": return json(200, {});
      case "DELETE /registration/installations/current": return json(204);
      default:
        if (method === "DELETE" && url.pathname.startsWith("/registration/")) return json(204);
        return json(404, { code: "unknown" });
    }
  }

  async jwk() {
    const { kty, crv, x, y } = await subtle.exportKey("jwk", this.signing.publicKey);
    return { kty, crv, x, y, kid: "s1", alg: "ES256", use: "sig" };
  }

  nonce() {
    const nonce = base64(randomBytes(32));
    this.nonces.add(nonce);
    return { nonce, audience: this.issuer, expires_in: 300 };
  }

  consume(nonce) {
    if (!this.nonces.delete(nonce)) throw Object.assign(new Error("nonce"), { code: "refused" });
  }

  async sign(claims, typ) {
    const message = `${part({ alg: "ES256", kid: "s1", typ })}.${part(claims)}`;
    const signature = await subtle.sign(
      { name: "ECDSA", hash: "SHA-256" }, this.signing.privateKey, Buffer.from(message));
    return `${message}.${base64(signature)}`;
  }

  /** The person signs in; the redirect of the browser. */
  authorize(address, more = {}) {
    const query = new URL(address).searchParams;
    const code = base64(randomBytes(16));
    this.codes.set(code, query);
    this.lastQuery = query;
    const answer = new URLSearchParams({ code, state: query.get("state"), iss: this.issuer, ...more });
    return `${query.get("redirect_uri")}?${answer}`;
  }

  async token(body, headers) {
    const proof = opened(headers.DPoP);
    const claims = JSON.parse(proof.claims);
    if (this.dpopNonce !== undefined && claims.nonce !== this.dpopNonce) {
      return json(400, { error: "use_dpop_nonce" }, { "dpop-nonce": this.dpopNonce });
    }
    const key = thumbprint(proof.header.jwk);
    switch (body.grant_type) {
      case "authorization_code": {
        const query = this.codes.get(body.code);
        this.codes.delete(body.code);
        const challenge = createHash("sha256").update(body.code_verifier).digest("base64url");
        const isRight = query?.get("code_challenge") === challenge
          && query.get("redirect_uri") === body.redirect_uri && query.get("dpop_jkt") === key;
        if (!isRight) throw new Error("the code is refused");
        return this.tokens(key, query.get("scope"), query.get("nonce"));
      }
      case "refresh_token": {
        const grant = this.grants.get(body.refresh_token);
        if (grant?.key !== key) throw new Error("the refresh token is refused");
        return this.tokens(key, grant.scope, undefined, grant);
      }
      default: return this.assertion(body, key);
    }
  }

  async tokens(key, scope, nonce, grant = { key, scope }) {
    const token = base64(randomBytes(16));
    const refresh = base64(randomBytes(16));
    this.grants.set(refresh, grant);
    const now = Math.floor(Date.now() / 1000);
    const id = await this.sign({
      iss: this.issuer, aud: "notes", sub: this.sub, iat: now, exp: now + 300, auth_time: now,
      acr: "pwd", preferred_username: "anna", nonce,
      at_hash: base64(createHash("sha256").update(token).digest().subarray(0, 16)), ...this.claims,
    }, "JWT");
    return json(200, {
      access_token: token, token_type: "DPoP", expires_in: 300, id_token: id, scope,
      ...scope.includes("offline_access") && { refresh_token: refresh },
    });
  }

  async assertion({ assertion, scope }, key) {
    const typ = read(assertion.split(".")[0]).typ;
    if (typ === "gatehouse-pin2-sign-in+jwt") {
      const answer = await this.pinAnswer(assertion);
      if (answer.code !== "accepted") return json(400, { error: "invalid_grant", ...answer });
      return this.tokens(key, scope);
    }
    const installation = this.installations.get(read(assertion.split(".")[0]).kid);
    if (installation === undefined || installation.pin !== undefined) throw new Error("no such key");
    const claims = JSON.parse(opened(assertion, installation.jwk).claims);
    this.consume(claims.jti);
    return this.tokens(key, scope);
  }

  async register(body) {
    const jwk = body.public_key;
    const keyID = thumbprint(jwk);
    const binding = createHash("sha256").update(body.nonce + JSON.stringify(jwk)).digest();
    if (!opened(body.key_proof, jwk).claims.equals(binding)) throw new Error("key_proof");
    this.consume(body.nonce);
    const known = this.installations.get(keyID);
    const installation = known ?? {
      jwk, keyID, registrationID: body.registration_id, id: `installation-${this.installations.size}`,
    };
    if (installation.registrationID !== body.registration_id) throw new Error("another id");
    this.installations.set(keyID, installation);
    let pin;
    if (body.pin_offer !== undefined) {
      installation.pin ??= { version: 0, attempts: 0 };
      const request = JSON.parse(opened(body.pin_offer, jwk).claims);
      pin = await this.deliver(installation, request);
    }
    return json(known === undefined ? 201 : 200, {
      method: body.method, registration_id: body.registration_id, user_id: this.sub,
      username: "anna", installation_id: installation.id, key_id: keyID,
      registered_at: "2026-11-27T18:00:00.000Z", pin, next: this.nonce(),
    });
  }

  // The PIN protocol, version 2

  transcript(label, keyID, ...fields) {
    const number = (value) => { const data = Buffer.alloc(4); data.writeUInt32BE(value); return data; };
    const all = [Buffer.from(`gatehouse/pin/2/${label}`), Buffer.from(this.issuer), bytes(keyID),
      ...fields.map((field) => typeof field === "number" ? number(field) : field)];
    return new Uint8Array(Buffer.concat(all.flatMap((field) => [number(field.length), field])));
  }

  async deliver(installation, { transport_key: transportKey, jti }) {
    const { pin, keyID } = installation;
    const same = pin.offered?.transportKey === transportKey;
    if (!same) {
      pin.version += 1;
      pin.offered = { ver: pin.version, secret: new Uint8Array(randomBytes(32)), transportKey };
    }
    const { ver, secret } = pin.offered;
    const point = bytes(transportKey);
    const box = await seal(
      webcrypto, secret, point, this.transcript("delivery", keyID, ver), point);
    return { code: "delivery", statement: await this.sign({
      iss: this.issuer, aud: keyID, nonce: jti, ver, enc: base64(box.enc), ct: base64(box.ct),
    }, "gatehouse-pin2-delivery+jwt") };
  }

  async pinMessage(request) {
    const answer = await this.pinAnswer(request);
    const isSuccess = ["accepted", "delivery", "version"].includes(answer.code);
    return json(isSuccess ? 200 : 403, { status: isSuccess ? 200 : 403, ...answer });
  }

  async pinAnswer(request) {
    const { kid, typ } = read(request.split(".")[0]);
    const installation = this.installations.get(kid);
    if (installation === undefined) return { code: "refused" };
    const message = JSON.parse(opened(request, installation.jwk).claims);
    const { pin } = installation;
    if (pin.ended) return this.ended(kid);
    if (pin.last?.request === request) {
      return pin.last.answer.code === "wrong_pin" ? pin.last.answer : { code: "refused" };
    }
    try { this.consume(message.jti); } catch { return { code: "refused" }; }
    const answer = await this.decide(installation, typ, message);
    pin.last = { request, answer };
    return answer;
  }

  async ended(keyID) {
    return { code: "ended", statement: await this.sign({
      iss: this.issuer, aud: keyID, iat: 1_800_000_000, reason: "profile_locked",
    }, "gatehouse-pin2-ending+jwt") };
  }

  async decide(installation, typ, message) {
    const { pin, keyID } = installation;
    const kind = /^gatehouse-pin2-(.*)\+jwt$/.exec(typ)[1];
    const version = async (ver) => ({ code: "version", statement: await this.sign({
      iss: this.issuer, aud: keyID, nonce: message.jti, ver,
    }, "gatehouse-pin2-version+jwt") });
    if (kind === "resolve") {
      if (pin.offered?.ver === message.ver) pin.offered = undefined;
      return version(pin.current?.ver ?? 0);
    }
    const secret = [pin.current, pin.offered].find((one) => one?.ver === message.ver);
    if (secret === undefined) return { code: "refused" };
    const point = bytes(base64(await subtle.exportKey("raw", this.proof.publicKey)));
    let tag;
    try {
      tag = await open(
        webcrypto, { enc: bytes(message.enc), ct: bytes(message.ct) }, this.proof,
        this.transcript("proof/sealed", keyID, message.ver, bytes(message.jti)), point);
    } catch { return { code: "refused" }; }
    const label = kind === "offer" ? "proof/change" : `proof/${kind}`;
    const more = kind === "offer" ? [bytes(message.transport_key)] : [];
    const expected = createHmac("sha256", secret.secret)
      .update(this.transcript(label, keyID, message.ver, bytes(message.jti), ...more)).digest();
    if (!expected.equals(tag)) {
      pin.attempts += 1;
      const limit = this.pin.attempts;
      if (pin.attempts < limit) {
        return { code: "wrong_pin", attempts: {
          limit, used: pin.attempts, remaining: limit - pin.attempts } };
      }
      pin.ended = true;
      return this.ended(keyID);
    }
    pin.attempts = 0;
    if (kind === "offer") return this.deliver(installation, message);
    if (secret === pin.offered) [pin.current, pin.offered] = [pin.offered, undefined];
    return kind === "commit" ? version(pin.current.ver) : { code: "accepted" };
  }
}
