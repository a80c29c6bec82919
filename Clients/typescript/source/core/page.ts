// SPDX-License-Identifier: Apache-2.0
// A page of the provider: authorization code with PKCE (RFC 6749 section 4.1, RFC 7636, RFC 9700).
import { encode, sha256, utf8 } from "./bytes.js";
import type { Context } from "./context.js";
import { cancelled, ErrorCode, IdentityError, misconfigured } from "./errors.js";
import { thumbprint } from "./jws.js";
import type { NamedKey, Tokens } from "./provider.js";
import type { ProfileRecord, RedirectRecord } from "./records.js";
import { parameters } from "./redirect-url.js";
import { codeOfName } from "./refusals.js";
import type { IdentityProvider, SignInOptions } from "./types.js";

/** How long a response is accepted after its page was opened, in milliseconds. */
const lifetime = 3_600_000;

export interface PageOptions extends SignInOptions {
  readonly purpose: "register" | "signIn" | "stepUp";
  /** The person who must sign in; absent for a registration. */
  readonly profile?: ProfileRecord | undefined;
  readonly tokens?: Tokens | undefined;
  readonly identityProvider?: IdentityProvider | undefined;
  readonly installs?: boolean;
}

export interface PageResponse {
  readonly record: RedirectRecord;
  readonly tokens: Tokens;
}

/** Opens the page, waits for the response and exchanges the code. */
export async function openPage(context: Context, options: PageOptions): Promise<PageResponse> {
  const { metadata } = await context.provider.documents();
  const { signal } = options;
  const [state, nonce, verifier] = [context.random(), context.random(), context.random(32)];
  const key = await pageKey(context, options);
  const record: RedirectRecord = {
    purpose: options.purpose, nonce, verifier, key: key?.name, maxAge: options.maxAge,
    redirectURI: context.settings.redirectURI ?? "", startedAt: context.services.now(),
    returnTo: context.services.page?.href(), profileID: options.profile?.id,
    acrValues: options.acrValues, installs: options.installs,
    identityProvider: options.identityProvider,
  };
  await storeRequest(context, state, record);
  const query = await pageQuery(context, options, { state, nonce, verifier, key });
  const endpoint = String(metadata["authorization_endpoint"]);
  const url = await present(context, state, (redirectURI) => {
    query.set("redirect_uri", redirectURI);
    return `${endpoint}${endpoint.includes("?") ? "&" : "?"}${query}`;
  }, signal);
  const response = await readResponse(context, url, query.get("redirect_uri") ?? undefined);
  if (response !== undefined) return response;
  throw new IdentityError("redirectMismatch", "the URL is no response of the provider");
}

/** The key of the profile, so that all its tokens are bound to one; otherwise a new one. */
async function pageKey(
  context: Context, { profile, tokens }: PageOptions,
): Promise<NamedKey | undefined> {
  if (!await context.provider.bindsTokens()) return undefined;
  const name = profile?.key ?? tokens?.key;
  const found = name === undefined ? undefined : await context.key(name).catch(() => undefined);
  return found ?? context.makeKey();
}

async function pageQuery(
  context: Context, options: PageOptions,
  made: { state: string; nonce: string; verifier: string; key: NamedKey | undefined },
): Promise<URLSearchParams> {
  const { crypto, settings } = context;
  const { key, state, nonce, verifier } = made;
  const query = new URLSearchParams({
    response_type: "code", client_id: settings.clientID, state, nonce,
    scope: (options.scopes ?? settings.scopes).join(" "), code_challenge_method: "S256",
    code_challenge: encode(await sha256(crypto, utf8(verifier))),
  });
  const optional: Readonly<Record<string, string | number | undefined>> = {
    prompt: options.prompt, login_hint: options.loginHint ?? options.profile?.username,
    acr_values: options.acrValues?.join(" "), max_age: options.maxAge,
    ui_locales: options.uiLocales?.join(" "), identity_provider: options.identityProvider?.id,
    // RFC 9449 section 10.
    dpop_jkt: key && await thumbprint(crypto, key.key.jwk),
  };
  for (const [name, value] of Object.entries(optional)) {
    if (value !== undefined && value !== "") query.set(name, String(value));
  }
  return query;
}

/** Stores a request, and deletes those whose time is up. */
async function storeRequest(
  context: Context, state: string, record: RedirectRecord,
): Promise<void> {
  const { records, services } = context;
  const changes: Record<string, unknown> = { [`redirect/${state}`]: record };
  const keys: (string | undefined)[] = [];
  for (const name of await records.names("redirect/")) {
    const stored = await records.read<RedirectRecord>(name);
    const age = services.now() - (stored?.startedAt ?? 0);
    if (age >= 0 && age < lifetime) continue;
    changes[name] = null;
    keys.push(stored?.key);
  }
  await records.write(changes);
  await context.dropKeys(keys);
}

/** Presents a page; a person who gives up leaves no request and no key. */
export async function present(
  context: Context, state: string, page: (redirectURI: string) => string,
  signal: AbortSignal | undefined,
): Promise<string> {
  const { browser } = context.services;
  const { redirectURI } = context.settings;
  const accepts = (url: string) => parameters(url).get("state") === state;
  try {
    return await browser.callback(page, accepts, { redirectURI, signal });
  } catch (error) {
    const record = await context.records.take<RedirectRecord>(`redirect/${state}`);
    await context.dropKeys([record?.key]);
    if (error instanceof IdentityError) throw error;
    if ((error as { name?: unknown } | null)?.name === "AbortError") throw cancelled();
    throw misconfigured(`services.browser: ${String(error)}`);
  }
}

/**
 * Reads a response and exchanges its code for tokens. Each request has one response.
 * `undefined` if the URL contains none.
 */
export async function readResponse(
  context: Context, url: string, redirectURI?: string,
): Promise<PageResponse | undefined> {
  const answer = parameters(url);
  const state = answer.get("state");
  if (state === null || !(answer.has("code") || answer.has("error"))) return undefined;
  const record = await context.records.take<RedirectRecord>(`redirect/${state}`);
  const age = context.services.now() - (record?.startedAt ?? 0);
  if (record === undefined || age > lifetime) {
    throw new IdentityError("redirectMismatch", "this client did not request the response");
  }
  try {
    await checkIssuer(context, answer);
    checkError(answer);
    return { record, tokens: await exchangeCode(context, record, answer, redirectURI) };
  } catch (error) {
    await context.dropKeys([record.key]);
    throw error;
  }
}

/** RFC 9207 section 2.4: a response of another issuer is refused. */
async function checkIssuer(context: Context, answer: URLSearchParams): Promise<void> {
  const { metadata } = await context.provider.documents();
  const isNamed = metadata["authorization_response_iss_parameter_supported"] === true;
  if ((isNamed || answer.has("iss")) && answer.get("iss") !== metadata["issuer"]) {
    throw new IdentityError("redirectMismatch", "the response is another issuer's");
  }
}

/** RFC 6749 section 4.1.2.1. */
function checkError(answer: URLSearchParams): void {
  const name = answer.get("error");
  if (name === null) return;
  const code: ErrorCode = codeOfName(name);
  throw new IdentityError(code, answer.get("error_description") ?? name, { serverCode: name });
}

async function exchangeCode(
  context: Context, record: RedirectRecord, answer: URLSearchParams, redirectURI?: string,
): Promise<Tokens> {
  const { key: name, profileID } = record;
  const profile = profileID === undefined ? undefined
    : await context.records.read<ProfileRecord>(`profile/${profileID}`);
  const key = name === undefined ? undefined : await context.key(name);
  return context.provider.grant({
    grant_type: "authorization_code", code: answer.get("code") ?? "",
    redirect_uri: redirectURI ?? record.redirectURI, code_verifier: record.verifier,
  }, { key, nonce: record.nonce, subject: profile?.userID, maxAge: record.maxAge });
}
