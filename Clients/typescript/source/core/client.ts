// SPDX-License-Identifier: Apache-2.0
// What an app calls.
import { uuid } from "./bytes.js";
import { checked, Context, Listener } from "./context.js";
import { IdentityError } from "./errors.js";
import { jwtBearer, KeyOptions, signInAs, tokensByKey } from "./key-sign-in.js";
import { deleteAccount, eraseLocalState, remove, signOut } from "./leaving.js";
import { readResponse, withoutResponse } from "./page.js";
import type { Tokens } from "./provider.js";
import { info } from "./provider-info.js";
import { PendingRecord, ProfileRecord, profileOf, RedirectRecord } from "./records.js";
import { registerInstallation } from "./registering.js";
import type { Services } from "./seams.js";
import { ServiceSession, Session } from "./session.js";
import { enter } from "./signed-in.js";
import {
  finishPage, registerOnPage, rename, reporting, requireSession, resume, signInOnPage,
} from "./signing-in.js";
import { isURL } from "./transport.js";
import type {
  ClientConfiguration, Evidence, IdentityProvider, LeavingOutcome, PendingRegistration, Profile,
  ProviderInfo, Registration, SignInOptions, SignOutScope,
} from "./types.js";

export interface RegisterOptions extends SignInOptions {
  /** One of `provider().identityProviders`; without it the provider's page offers all. */
  readonly with?: IdentityProvider;
  /** Evidence of who registers, in place of a page. */
  readonly by?: Evidence;
  /** A UUID. If the result is unknown, register again with the same one. */
  readonly idempotencyKey?: string;
}

export interface SignInMethodOptions extends SignInOptions {
  readonly by?: Evidence;
  readonly inBrowser?: boolean;
}

/** The people of one device at one provider. Create one for each configuration. */
export class CoreClient {
  /** @internal */
  readonly context: Context;
  readonly #requiring = new Map<string, Promise<Session>>();

  /** @internal */
  constructor(configuration: ClientConfiguration, services: Services) {
    this.context = new Context(checked(configuration), services);
  }

  /** Ends the connection to the other tabs. */
  close(): void { this.context.close(); }

  /** What the provider and the project offer. */
  provider(): Promise<ProviderInfo> { return info(this.context); }

  /** Calls `listener` for each event of any tab. The result stops that. */
  listen(listener: Listener): () => void { return this.context.listen(listener); }

  /** The people on this device, in the order of their registration. */
  async profiles(): Promise<Profile[]> { return (await this.context.profiles()).map(profileOf); }

  /** Sets the name by which the app displays a profile. */
  async rename(profile: Profile, name: string): Promise<Profile> {
    return rename(this.context, await this.context.stored(profile), name);
  }

  /** The session of a profile, or of the last one; `null` if the person must sign in. No prompt. */
  async session(profile?: Profile): Promise<Session | null> {
    const record = await this.context.find(profile);
    return record && await this.context.session(record) || null;
  }

  /**
   * A session by the least effort: stored tokens, then the key of this device, then a page of the
   * provider, which registers the person. Concurrent calls have one result.
   */
  requireSession(
    options: SignInOptions & { readonly profile?: Profile } = {},
  ): Promise<Session> {
    const id = options.profile?.id ?? "";
    const running = this.#requiring.get(id);
    if (running !== undefined) return running;
    const result = (async () => {
      const { profile } = options;
      const record = profile === undefined
        ? await this.context.find() : await this.context.stored(profile);
      return requireSession(this.context, record, options);
    })().finally(() => { this.#requiring.delete(id); });
    this.#requiring.set(id, result);
    return result;
  }

  // Registering

  /** Registers a person and this device: on a page of the provider, or with evidence. */
  async register(options: RegisterOptions = {}): Promise<Registration> {
    const { with: provider, by, signal, idempotencyKey: id = uuid(this.context.crypto) } = options;
    return this.#signingIn(undefined, async () => {
      if (by !== undefined) return registerInstallation(this.context, { id, evidence: by, signal });
      if (provider?.kind !== "custom") {
        return registerOnPage(this.context, options, provider);
      }
      const { registerByService } = await import("../evidence/service.js");
      return registerByService(this.context, provider, { id, signal });
    });
  }

  /**
   * Continues after the provider redirected to this page: registers, signs in or steps up. `null`
   * if the URL contains no response. The response is removed from the URL first.
   */
  async completeRedirect(url = this.context.services.page?.href()): Promise<Registration | null> {
    const { page, browser } = this.context.services;
    if (url === undefined) return null;
    const rest = withoutResponse(url);
    if (rest === undefined) return this.#completeSignOut(url);
    if (page?.href() === url) page.replace(rest);
    if (await browser.deliver?.(url)) return new Promise(() => {});
    return this.#signingIn(undefined, async () => {
      const response = await readResponse(this.context, url);
      return response === undefined ? null : finishPage(this.context, response);
    });
  }

  /** The browser returned from a sign-out: `state` is all that the URL contains. */
  async #completeSignOut(url: string): Promise<null> {
    const { page } = this.context.services;
    if (!isURL(url)) return null;
    const rest = new URL(url);
    const state = rest.searchParams.get("state");
    if (!state) return null;
    const name = `redirect/${state}`;
    const record = await this.context.records.read<RedirectRecord>(name);
    if (record?.purpose !== "signOut") return null;
    await this.context.records.write({ [name]: null });
    rest.searchParams.delete("state");
    if (page?.href() === url) page.replace(rest.href);
    return null;
  }

  /** Registrations whose result is not known. */
  async pendingRegistrations(): Promise<PendingRegistration[]> {
    const names = await this.context.records.names("pending/");
    return Promise.all(names.map(async (name) => ({
      id: name.slice("pending/".length),
      method: (await this.context.records.read<PendingRecord>(name))?.method ?? "",
    })));
  }

  /** Continues one that began on a page of the provider. Others: `register` with its `id`. */
  resume(pending: PendingRegistration, { signal }: { signal?: AbortSignal } = {}) {
    return resume(this.context, pending.id, signal);
  }

  // Signing in

  /** Signs in by the key or the PIN of this device, by evidence, or on a page of the provider. */
  async signIn(profile?: Profile, options: SignInMethodOptions = {}): Promise<Session> {
    const { by, inBrowser, scopes = this.context.settings.scopes, signal } = options;
    if (by !== undefined) {
      return this.#signingIn(profile, () => this.#signInBy(by, scopes, signal));
    }
    const record = await this.context.stored(profile);
    return this.#signingIn(profileOf(record), () => inBrowser === true
      ? signInOnPage(this.context, record, options)
      : signInAs(this.context, record, { scopes, signal }));
  }

  /** RFC 7523 section 2.1: an issuer's token signs in. */
  async #signInBy(
    by: Evidence, scopes: readonly string[], signal: AbortSignal | undefined,
  ): Promise<Session> {
    const assertion = await by.credential?.();
    if (assertion === undefined) {
      throw new IdentityError("methodNotSupported", `${by.method} does not sign in`);
    }
    const { context } = this;
    const key = await context.provider.bindsTokens() ? await context.makeKey() : undefined;
    let tokens: Tokens | undefined;
    try {
      const form = { grant_type: jwtBearer, assertion, scope: scopes.join(" ") };
      tokens = await context.provider.grant(form, { key, signal });
      return (await enter(context, tokens, by.method)).session;
    } finally { if (tokens?.key !== key?.name) await context.dropKeys([key?.name]); }
  }

  /** Prompts for the present and for a new PIN. */
  async changePIN(profile: Profile): Promise<void> {
    const record = await this.context.stored(profile);
    if (record.hasPIN !== true) throw new IdentityError("requestInvalid", "the profile has no PIN");
    const { PINProfile } = await import("../pin/index.js");
    return (await PINProfile.open(this.context, record)).change();
  }

  #signingIn<T>(profile: Profile | undefined, body: () => Promise<T>): Promise<T> {
    return reporting(this.context, profile, body);
  }

  /** A further session of a person by the key alone, of which nothing is stored. */
  async implicitSession(
    profile: Profile, { scopes, signal }: { scopes: readonly string[]; signal?: AbortSignal },
  ): Promise<ServiceSession> {
    return this.#keySession(await this.context.stored(profile), { scopes, signal });
  }

  /** A session of the installation without a person (`registration.device_scopes`). */
  async deviceSession(
    options: { scopes?: readonly string[]; profile?: Profile; signal?: AbortSignal } = {},
  ): Promise<ServiceSession> {
    const { context } = this;
    const found = await context.find(options.profile);
    const others = options.profile === undefined ? (await context.profiles()).reverse() : [];
    const record = [found, ...others].find((one) => one?.installationID !== undefined && one.keyID);
    if (record === undefined) throw new IdentityError("notRegistered", "no registered key");
    return this.#keySession(record, { ...options, isDevice: true });
  }

  async #keySession(
    record: ProfileRecord, options: KeyOptions,
  ): Promise<ServiceSession> {
    const { signal, ...rest } = options;
    const obtain = (limit?: AbortSignal) =>
      tokensByKey(this.context, record, { ...rest, signal: limit });
    return new ServiceSession(this.context, await obtain(signal), () => obtain());
  }

  /** Requests of other clients that a person approves on this device. */
  async approvals() {
    const { Approvals } = await import("../approvals/index.js");
    return new Approvals(this);
  }

  // Leaving

  /** Signs a person out; profile and key stay. */
  async signOut(profile: Profile, scope: SignOutScope = "thisDevice"): Promise<LeavingOutcome> {
    return signOut(this.context, await this.context.stored(profile), scope);
  }

  /** Removes a profile: its installation at the provider, and everything on this device. */
  async remove(profile: Profile): Promise<LeavingOutcome> {
    return remove(this.context, await this.context.stored(profile));
  }

  /** Deletes the account at the provider; if that is refused, nothing happens. */
  async deleteAccount(profile: Profile): Promise<void> {
    return deleteAccount(this.context, await this.context.stored(profile));
  }

  /** Removes everything on this device, without a request. */
  eraseLocalState(): Promise<void> { return eraseLocalState(this.context); }
}
