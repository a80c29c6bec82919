// SPDX-License-Identifier: Apache-2.0
// What an app calls.
import { uuid } from "./bytes.js";
import { checked, Context, Listener } from "./context.js";
import { IdentityError } from "./errors.js";
import { signInAs } from "./key-sign-in.js";
import { ProfileRecord, profileOf } from "./records.js";
import type { Services } from "./seams.js";
import type { Session } from "./session.js";
import type { ServiceSession } from "./session-calls.js";
import { keySession, presentSession, reporting } from "./present-session.js";
import { withoutResponse } from "./redirect-url.js";
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

// Loaded when they are called, so that a page that only signs in is small.
const calls = () => import("./session-calls.js");
const leaving = () => import("./leaving.js");
const signingIn = () => import("./signing-in.js");
const registering = () => import("./registering.js");

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
  async provider(): Promise<ProviderInfo> {
    return (await import("./provider-info.js")).info(this.context);
  }

  /** Calls `listener` for each event of any tab. The result stops that. */
  listen(listener: Listener): () => void { return this.context.listen(listener); }

  /** The people on this device, in the order of their registration. */
  async profiles(): Promise<Profile[]> { return (await this.context.profiles()).map(profileOf); }

  /** Sets the name by which the app displays a profile. */
  async rename(profile: Profile, name: string): Promise<Profile> {
    const record = { ...await this.context.stored(profile), name };
    await this.context.records.write({ [`profile/${record.id}`]: record });
    this.context.changed(record);
    return profileOf(record);
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
      return this.#require(record, options);
    })().finally(() => { this.#requiring.delete(id); });
    this.#requiring.set(id, result);
    return result;
  }

  async #require(record: ProfileRecord | undefined, options: SignInOptions): Promise<Session> {
    const present = record && await presentSession(this.context, record, options.signal);
    if (present !== undefined) return present;
    return this.#signingIn(record && profileOf(record), async () => {
      const session = record && await keySession(this.context, record, options);
      return session ?? (await signingIn()).newSession(this.context, record, options);
    });
  }

  // Registering

  /** Registers a person and this device: on a page of the provider, or with evidence. */
  async register(options: RegisterOptions = {}): Promise<Registration> {
    const { with: provider, by, signal, idempotencyKey: id = uuid(this.context.crypto) } = options;
    return this.#signingIn(undefined, async () => {
      if (by !== undefined) {
        const { registerInstallation } = await registering();
        return registerInstallation(this.context, { id, evidence: by, signal });
      }
      if (provider?.kind !== "custom") {
        return (await signingIn()).registerOnPage(this.context, options, provider);
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
    if (rest === undefined) {
      if (/[?&]state=/.test(url)) await (await leaving()).completeSignOut(this.context, url);
      return null;
    }
    if (page?.href() === url) page.replace(rest);
    if (await browser.deliver?.(url)) return new Promise(() => {});
    return this.#signingIn(undefined, async () => {
      return (await signingIn()).completePage(this.context, url);
    });
  }

  /** Registrations whose result is not known. */
  async pendingRegistrations(): Promise<PendingRegistration[]> {
    return (await registering()).pendingRegistrations(this.context);
  }

  /** Continues one that began on a page of the provider. Others: `register` with its `id`. */
  async resume(
    pending: PendingRegistration, { signal }: { signal?: AbortSignal } = {},
  ): Promise<Registration> {
    return (await registering()).resume(this.context, pending.id, signal);
  }

  // Signing in

  /** Signs in by the key or the PIN of this device, by evidence, or on a page of the provider. */
  async signIn(profile?: Profile, options: SignInMethodOptions = {}): Promise<Session> {
    const { by, inBrowser, scopes = this.context.settings.scopes, signal } = options;
    if (by !== undefined) {
      const { signInBy } = await calls();
      return this.#signingIn(profile, () => signInBy(this.context, by, scopes, signal));
    }
    const record = await this.context.stored(profile);
    return this.#signingIn(profileOf(record), async () => inBrowser === true
      ? (await signingIn()).signInOnPage(this.context, record, options)
      : signInAs(this.context, record, { scopes, signal }));
  }

  /** Prompts for the present and for a new PIN. */
  async changePIN(profile: Profile): Promise<void> {
    const record = await this.context.stored(profile);
    if (record.hasPIN !== true) throw new IdentityError("requestInvalid", "the profile has no PIN");
    const { PINProfile } = await import("../pin/profile.js");
    const { changePIN } = await import("../pin/change.js");
    return changePIN(await PINProfile.open(this.context, record));
  }

  #signingIn<T>(profile: Profile | undefined, body: () => Promise<T>): Promise<T> {
    return reporting(this.context, profile, body);
  }

  /** A further session of a person by the key alone, of which nothing is stored. */
  async implicitSession(
    profile: Profile, options: { scopes: readonly string[]; signal?: AbortSignal },
  ): Promise<ServiceSession> {
    const record = await this.context.stored(profile);
    return (await calls()).keySession(this.context, record, options);
  }

  /** A session of the installation without a person (`registration.device_scopes`). */
  async deviceSession(
    options: { scopes?: readonly string[]; profile?: Profile; signal?: AbortSignal } = {},
  ): Promise<ServiceSession> { return (await calls()).deviceSession(this.context, options); }

  /** Requests of other clients that a person approves on this device. */
  async approvals() {
    const { Approvals } = await import("../approvals/index.js");
    return new Approvals(this);
  }

  // Leaving

  /** Signs a person out; profile and key stay. */
  async signOut(profile: Profile, scope: SignOutScope = "thisDevice"): Promise<LeavingOutcome> {
    const record = await this.context.stored(profile);
    return (await leaving()).signOut(this.context, record, scope);
  }

  /** Removes a profile: its installation at the provider, and everything on this device. */
  async remove(profile: Profile): Promise<LeavingOutcome> {
    return (await leaving()).remove(this.context, await this.context.stored(profile));
  }

  /** Deletes the account at the provider; if that is refused, nothing happens. */
  async deleteAccount(profile: Profile): Promise<void> {
    return (await leaving()).deleteAccount(this.context, await this.context.stored(profile));
  }

  /** Removes everything on this device, without a request. */
  async eraseLocalState(): Promise<void> {
    return (await leaving()).eraseLocalState(this.context);
  }
}
