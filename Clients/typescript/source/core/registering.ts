// SPDX-License-Identifier: Apache-2.0
// Registration of this installation with evidence (docs/registration.md). A repeated registration
// with the same identifier and key has the same result.
import { sha256, utf8, uuid } from "./bytes.js";
import type { Context } from "./context.js";
import { IdentityError, invalid, isOffline } from "./errors.js";
import { canonical, JSONObject, signBytes } from "./jws.js";
import { signInAs } from "./key-sign-in.js";
import type { NamedKey } from "./provider.js";
import type { OpenedSecret } from "../pin/secret.js";
import type { PINOffer } from "../pin/registration.js";
import { PendingRecord, ProfileRecord, profileOf, RedirectRecord } from "./records.js";
import { payloadOf } from "./refusals.js";
import type { Session } from "./session.js";
import type {
  Evidence, IdentityProvider, PendingRegistration, Registration,
} from "./types.js";

/** Evidence that is collected in a dialogue with the person. */
export interface Dialogue extends Evidence {
  readonly identityProvider: IdentityProvider;
  /** Collects the first evidence. */
  begin(): Promise<void>;
  /** After a refusal: `true` if there is new evidence. */
  resume(error: IdentityError): Promise<boolean>;
}

export interface RegisteringRequest {
  /** A UUID. */
  readonly id: string;
  readonly evidence: Evidence | Dialogue;
  readonly signal?: AbortSignal | undefined;
}

/** Registers and signs the person in by the new key. */
export async function registerInstallation(
  context: Context, request: RegisteringRequest,
): Promise<Registration> {
  const { id, signal, evidence } = request;
  const result = await context.lock(`registration ${id}`, signal, async () => {
    const earlier = await earlierResult(context, request);
    if (earlier !== undefined) return earlier;
    const pending = await begin(context, request);
    try {
      return await finish(context, id, pending, await carryOut(context, request, pending));
    } catch (error) {
      await discard(context, id);
      throw error;
    }
  });
  const { record, next: challenge, secret } = result;
  const identityProvider = "identityProvider" in evidence
    ? evidence.identityProvider : result.identityProvider;
  const session = await signInAs(context, record, { signal, challenge }, secret);
  await removeFormer(context, session);
  return Object.freeze({
    profile: profileOf(record), session, isNew: result.isNew,
    ...result.info && { info: result.info },
    ...result.returnTo !== undefined && { returnTo: result.returnTo },
    ...identityProvider && { identityProvider },
  });
}

/** The result, if only the caller did not receive it. */
async function earlierResult(context: Context, { id, evidence }: RegisteringRequest) {
  if (await context.records.read(`pending/${id}`) !== undefined) return undefined;
  const record = (await context.profiles()).find((one) => one.registrationID === id);
  if (record === undefined) return undefined;
  if (record.method !== evidence.method) throw taken(record.method);
  return {
    record, isNew: false, info: undefined, returnTo: undefined, next: undefined, secret: undefined,
    identityProvider: undefined,
  };
}

const taken = (method: string): IdentityError => new IdentityError(
  "registrationIDTaken", `idempotencyKey belongs to a registration by ${method}`);

async function begin(
  context: Context, { id, evidence }: RegisteringRequest,
): Promise<PendingRecord> {
  const earlier = await context.records.read<PendingRecord>(`pending/${id}`);
  if (earlier !== undefined && earlier.method !== evidence.method) throw taken(earlier.method);
  if (earlier !== undefined) return earlier;
  const { name } = await context.makeKey();
  const pending = { method: evidence.method, key: name, isUncertain: false };
  await context.records.write({ [`pending/${id}`]: pending });
  return pending;
}

/** A refusal leaves nothing behind; what may be registered stays for `resume`. */
async function discard(context: Context, id: string): Promise<void> {
  const pending = await context.records.read<PendingRecord>(`pending/${id}`).catch(() => undefined);
  if (pending === undefined || pending.isUncertain) return;
  await context.records.write({ [`pending/${id}`]: null })
    .then(() => context.dropKeys([pending.key])).catch(() => {});
}

/** Until it is registered or refused: an operator's service may ask again. */
async function carryOut(
  context: Context, request: RegisteringRequest, pending: PendingRecord,
): Promise<Registered> {
  const pins: PINs = {};
  const dialogue = "begin" in request.evidence ? request.evidence : undefined;
  const wasUncertain = pending.isUncertain;
  // A registration that may exist is repeated before the person is asked.
  if (!wasUncertain) await dialogue?.begin();
  for (;;) {
    try { return await send(context, request, pending, pins); } catch (error) {
      const isCertain = error instanceof IdentityError && error.serverCode !== undefined
        && !isOffline(error);
      if (!isCertain) throw error;
      await context.records.write({
        [`pending/${request.id}`]: { ...pending, isUncertain: wasUncertain },
      });
      if (!await dialogue?.resume(error)) throw error;
    }
  }
}

/** The response, and the PIN that was offered with the registration. */
interface Registered { readonly body: JSONObject; readonly offer: PINOffer | undefined }

/** The PIN that the person chose; the same in each repetition. */
interface PINs { make?: (key: NamedKey, nonce: string) => Promise<PINOffer> }

/** Milliseconds after which the nonce is replaced; it is valid for five minutes. */
const nonceAge = 240_000;

/** Prompts for a new PIN if the project or the app uses PINs. */
async function choosePIN(context: Context, pin: unknown, pins: PINs): Promise<void> {
  const use = (pin as JSONObject | undefined)?.["use"];
  const versions = (await context.provider.known()).gatehouse["pin"]?.["versions"];
  const isSupported = Array.isArray(versions) && versions.includes(2);
  const isWanted = use === "optional" && isSupported
    && context.settings.prompter?.newPIN !== undefined;
  if (use !== "required" && !isWanted) return;
  const { choosePIN } = await import("../pin/registration.js");
  const { policyOf } = await import("../pin/policy.js");
  const policy = policyOf(pin);
  if (policy === undefined) throw invalid("the challenge has no PIN policy");
  pins.make ??= await choosePIN(context, policy);
}

async function challengeOf(
  context: Context, { evidence: { method }, signal }: RegisteringRequest, pins: PINs,
): Promise<{ nonce: string; audience: string }> {
  for (;;) {
    const sentAt = context.services.now();
    const answer = await context.provider.send(
      "challenge", { method: "POST", json: { method }, signal });
    const { nonce, audience, pin } = answer;
    if (typeof nonce !== "string") throw invalid("the challenge has no nonce");
    await choosePIN(context, pin, pins);
    const isFresh = context.services.now() - sentAt < nonceAge;
    if (isFresh) return { nonce, audience: String(audience) };
  }
}

async function send(
  context: Context, request: RegisteringRequest, pending: PendingRecord, pins: PINs,
): Promise<Registered> {
  const { provider, crypto } = context;
  const { id, evidence, signal } = request;
  const { method } = evidence;
  const { nonce, audience } = await challengeOf(context, request, pins);
  const named = await context.key(pending.key);
  const { key } = named;
  const jwk = canonical(key.jwk);
  const offer = await pins.make?.(named, nonce);
  // SHA-256(nonce ‖ canonical JSON of the key), RFC 7638 section 3.1.
  const keyBinding = await sha256(crypto, utf8(nonce + JSON.stringify(jwk)));
  const proof = await signBytes(key, { typ: "app-key-proof" }, keyBinding);
  const binding = offer?.binding ?? keyBinding;
  const shown = await evidence.evidence({ method, nonce, audience, binding });
  await context.records.write({ [`pending/${id}`]: { ...pending, isUncertain: true } });
  const body = await provider.send("register", {
    method: "POST", signal, json: {
      method, registration_id: id, nonce, evidence: shown, public_key: jwk, key_proof: proof,
      name: context.settings.installationName, pin_offer: offer?.message,
    },
  });
  if (typeof body["user_id"] !== "string" || typeof body["installation_id"] !== "string") {
    throw invalid("the response to the registration is incomplete");
  }
  return { body, offer };
}

/** Creates the profile, or gives an existing one its new installation and key. */
async function finish(
  context: Context, id: string, pending: PendingRecord, { body, offer }: Registered,
) {
  const userID = String(body["user_id"]);
  const earlier = await context.ofUser(userID);
  const record: ProfileRecord = {
    id: earlier?.id ?? context.random(), userID, username: String(body["username"]),
    name: earlier?.name, registeredAt: Date.parse(String(body["registered_at"])),
    method: pending.method, key: pending.key, registrationID: id,
    installationID: String(body["installation_id"]), keyID: String(body["key_id"]),
    hasPIN: offer !== undefined,
  };
  // The secret is stored before the profile that needs it.
  const secret: OpenedSecret | undefined = await offer?.accept(body["pin"]);
  const former = earlier?.installationID;
  const isReplaced = former !== undefined && former !== record.installationID;
  await context.records.write({
    [`profile/${record.id}`]: record, current: record.id, [`pending/${id}`]: null,
    ...isReplaced && { [`former/${former}`]: record.id },
  });
  await context.dropKeys([earlier?.key]);
  context.changed(record);
  return {
    record, isNew: earlier === undefined, info: payloadOf(body), returnTo: pending.returnTo,
    next: body["next"] as JSONObject | undefined, secret,
    identityProvider: pending.identityProvider,
  };
}

/** Registers with the token of a page as evidence, by the key to which the token is bound. */
export async function registerByPage(
  context: Context, record: RedirectRecord, accessToken: string, signal?: AbortSignal,
): Promise<Registration> {
  const id = uuid(context.crypto);
  const { returnTo, identityProvider } = record;
  const pending: PendingRecord = {
    method: "oidc", key: record.key ?? "", accessToken, isUncertain: false, returnTo,
    identityProvider,
  };
  await context.records.write({ [`pending/${id}`]: pending });
  return resume(context, id, signal);
}

/** Continues a registration of a page. Without its token, it is found by identifier and key. */
export async function resume(
  context: Context, id: string, signal?: AbortSignal,
): Promise<Registration> {
  const pending = await context.records.read<PendingRecord>(`pending/${id}`);
  if (pending?.method !== "oidc") {
    throw new IdentityError("requestInvalid", "register again with this idempotencyKey");
  }
  const evidence = {
    method: "oidc", evidence: async () => ({ access_token: pending.accessToken ?? "" }),
  };
  return registerInstallation(context, { id, evidence, signal });
}

/** Registrations whose result is not known. */
export async function pendingRegistrations(context: Context): Promise<PendingRegistration[]> {
  const names = await context.records.names("pending/");
  return Promise.all(names.map(async (name) => ({
    id: name.slice("pending/".length),
    method: (await context.records.read<PendingRecord>(name))?.method ?? "",
  })));
}

/** Removes replaced installations at the provider; tried again after the next registration. */
async function removeFormer(context: Context, session: Session): Promise<void> {
  for (const name of await context.records.names("former/")) {
    if (await context.records.read<string>(name) !== session.profile.id) continue;
    const path = `/${encodeURIComponent(name.slice("former/".length))}`;
    try { await session.send("installations", { method: "DELETE", path }); } catch (error) {
      if (!(error instanceof IdentityError) || error.code !== "notRegistered") continue;
    }
    await context.records.write({ [name]: null });
  }
}
