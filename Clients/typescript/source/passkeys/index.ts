// SPDX-License-Identifier: Apache-2.0
// Passkeys in a page of the app (WebAuthn Level 3). The provider's `webauthn.related_origins` must
// contain the origin of the page. On a page of the provider passkeys need none of this.
import { decode, encode } from "../core/bytes.js";
import type { CoreClient } from "../core/client.js";
import { cancelled, IdentityError } from "../core/errors.js";
import type { JSONObject } from "../core/jws.js";
import type { Tokens } from "../core/provider.js";
import type { Session } from "../core/session.js";
import { enter } from "../core/signed-in.js";

export interface Passkey {
  readonly id: string;
  /** Base64url. */
  readonly credentialID: string;
  readonly name?: string;
  readonly createdAt: Date;
}

const descriptor = (value: JSONObject) => ({ ...value, id: decode(String(value["id"])) });

/** Section 5.1.10: options as JSON, with bytes in base64url. */
function fromJSON(json: JSONObject): PublicKeyCredentialCreationOptions
  & PublicKeyCredentialRequestOptions {
  const challenge = decode(String(json["challenge"]));
  const options: Record<string, unknown> = { ...json, challenge };
  for (const name of ["allowCredentials", "excludeCredentials"]) {
    const list = json[name];
    if (Array.isArray(list)) options[name] = list.map(descriptor);
  }
  const user = json["user"] as JSONObject | undefined;
  if (user !== undefined) options["user"] = { ...user, id: decode(String(user["id"])) };
  return options as unknown as PublicKeyCredentialCreationOptions
    & PublicKeyCredentialRequestOptions;
}

/** Section 5.1.8: a credential as JSON. */
function toJSON(credential: PublicKeyCredential): JSONObject {
  const response: Record<string, unknown> = {};
  const { response: source } = credential;
  for (const name of [
    "clientDataJSON", "attestationObject", "authenticatorData", "signature", "userHandle",
  ]) {
    const value = (source as unknown as Record<string, unknown>)[name];
    if (value instanceof ArrayBuffer) response[name] = encode(new Uint8Array(value));
  }
  // Newer than the types of TypeScript 4.8.
  const { getTransports } = source as { getTransports?: () => string[] };
  const transports = getTransports?.call(source);
  const { authenticatorAttachment } = credential as { authenticatorAttachment?: string | null };
  if (transports !== undefined) response["transports"] = transports;
  return {
    id: credential.id, rawId: encode(new Uint8Array(credential.rawId)), type: credential.type,
    response, clientExtensionResults: credential.getClientExtensionResults(),
    ...authenticatorAttachment && { authenticatorAttachment },
  };
}

async function credential(body: () => Promise<Credential | null>): Promise<JSONObject> {
  try {
    const found = await body();
    if (found === null) throw cancelled("no passkey");
    return toJSON(found as PublicKeyCredential);
  } catch (error) {
    if (error instanceof IdentityError) throw error;
    const { name } = error as Error;
    // Section 14.5.1: a person who cancels and one without a passkey look the same.
    if (name === "NotAllowedError" || name === "AbortError") throw cancelled(String(error));
    const code = name === "InvalidStateError" ? "alreadyRegistered" : "configurationInvalid";
    throw new IdentityError(code, String(error), { cause: error });
  }
}

/** Signs in by a passkey that the person chooses. */
export async function signInWithPasskey(
  client: CoreClient, { scopes, signal }: { scopes?: readonly string[]; signal?: AbortSignal } = {},
): Promise<Session> {
  const { context } = client;
  const { ceremony, publicKey } = await context.provider.send(
    "passkey_sign_in", { method: "POST", signal });
  const shown = await credential(() => navigator.credentials.get({
    publicKey: fromJSON(publicKey as JSONObject), ...signal && { signal },
  }));
  const key = await context.provider.bindsTokens() ? await context.makeKey() : undefined;
  let tokens: Tokens | undefined;
  try {
    tokens = await context.provider.grant({
      grant_type: "urn:gatehouse:grant-type:passkey",
      passkey: JSON.stringify({ ceremony, credential: shown }),
      scope: (scopes ?? context.settings.scopes).join(" "),
    }, { key, signal });
    return (await enter(context, tokens, "passkey")).session;
  } finally { if (tokens?.key !== key?.name) await context.dropKeys([key?.name]); }
}

/** Creates a passkey for the person of the session, who authenticated recently. */
export async function addPasskey(
  session: Session, { name, signal }: { name?: string; signal?: AbortSignal } = {},
): Promise<Passkey> {
  const { ceremony, publicKey } = await session.send("passkey_options", { method: "POST", signal });
  const made = await credential(() => navigator.credentials.create({
    publicKey: fromJSON(publicKey as JSONObject), ...signal && { signal },
  }));
  return passkey(await session.send("passkeys", {
    method: "POST", signal, json: { ceremony, credential: made, name },
  }));
}

function passkey(item: JSONObject): Passkey {
  const name = item["name"];
  return Object.freeze({
    id: String(item["id"]), credentialID: String(item["credential_id"]),
    createdAt: new Date(String(item["created_at"])), ...typeof name === "string" && { name },
  });
}

/** The passkeys of the person. */
export async function passkeys(session: Session): Promise<Passkey[]> {
  const { items } = await session.send("passkeys");
  return Array.isArray(items) ? items.map((item) => passkey(item as JSONObject)) : [];
}

/** Removes a passkey of the person, who authenticated recently. */
export async function removePasskey(session: Session, { id }: Passkey): Promise<void> {
  await session.send("passkeys", { method: "DELETE", path: `/${encodeURIComponent(id)}` });
}
