// SPDX-License-Identifier: Apache-2.0
// What all calls of one client share: records, provider, locks, sessions and events.
import { random } from "./bytes.js";
import { cancelled, IdentityError, misconfigured } from "./errors.js";
import { NamedKey, Provider, Tokens } from "./provider.js";
import { ProfileRecord, profileOf, Records } from "./records.js";
import type { Channel, CryptoProvider, Services } from "./seams.js";
import { Session } from "./session.js";
import { isProtected } from "./transport.js";
import type { ClientConfiguration, Profile, SessionEvent } from "./types.js";

/** The scope with which a person and an installation can unregister. */
export const registrationScope = "registration";
export const defaultScopes: readonly string[] =
  ["openid", "profile", "offline_access", registrationScope];

export type Settings = Required<Omit<ClientConfiguration, "redirectURI" | "prompter" | "services">>
  & Pick<ClientConfiguration, "redirectURI" | "prompter">;

/** Checks a configuration; the error names the line to fix. */
export function checked(configuration: ClientConfiguration): Settings {
  const {
    issuer, clientID, redirectURI, scopes = defaultScopes, installationName = "",
    timeoutSeconds = 30, stepsUp = true, prompter,
  } = configuration;
  if (!isProtected(issuer) || issuer.endsWith("/")) {
    throw misconfigured("issuer must be https, or http on this device, without a slash at its end");
  }
  if (typeof clientID !== "string" || clientID === "") throw misconfigured("clientID is empty");
  if (new TextEncoder().encode(installationName).length > 128) {
    throw misconfigured("installationName is longer than 128 bytes");
  }
  if (!scopes.every((scope) => /^[!#-[\]-~]+$/.test(scope))) {
    throw misconfigured("scopes: a scope is empty or has a space");
  }
  if (!(timeoutSeconds >= 1 && timeoutSeconds <= 600)) {
    throw misconfigured("timeoutSeconds must be from 1 to 600");
  }
  return {
    issuer, clientID, redirectURI, scopes: [...scopes], installationName, timeoutSeconds, stepsUp,
    prompter,
  };
}

export type Listener = (event: SessionEvent) => void;

export class Context {
  readonly records: Records;
  readonly provider: Provider;
  readonly #sessions = new Map<string, Session>();
  readonly #listeners = new Set<Listener>();
  readonly #channel: Channel | undefined;

  constructor(readonly settings: Settings, readonly services: Services) {
    const { issuer, clientID, timeoutSeconds } = settings;
    if (services.crypto?.subtle === undefined) {
      throw misconfigured("crypto: this page is no secure context; serve it over https");
    }
    this.records = new Records(services.storage);
    this.provider = new Provider(issuer, clientID, timeoutSeconds, services, this.records);
    this.#channel = services.channel?.((text) => this.#happened(revived(text)));
  }

  get crypto(): CryptoProvider { return this.services.crypto; }

  random(count = 16): string { return random(this.crypto, count); }

  close(): void { this.#channel?.close(); }

  // Locks

  async lock<T>(
    name: string, signal: AbortSignal | undefined, body: () => Promise<T>,
  ): Promise<T> {
    const { issuer, clientID } = this.settings;
    try {
      return await this.services.locks.with(
        `gatehouse ${issuer} ${clientID} ${name}`, signal, body);
    } catch (cause) {
      if ((cause as { name?: unknown } | null)?.name !== "AbortError") throw cause;
      throw cancelled("aborted while it waited for a lock");
    }
  }

  /** Locks all profiles of a sorted list, so that no two callers wait for each other. */
  lockProfiles<T>([id, ...others]: readonly string[], body: () => Promise<T>): Promise<T> {
    if (id === undefined) return body();
    return this.lock(`session ${id}`, undefined, () => this.lockProfiles(others, body));
  }

  // Events

  listen(listener: Listener): () => void {
    this.#listeners.add(listener);
    return () => { this.#listeners.delete(listener); };
  }

  /** Notifies the listeners of all tabs. */
  notify(event: SessionEvent): void {
    this.#channel?.post(JSON.stringify(event));
    this.#happened(event);
  }

  #happened(event: SessionEvent): void {
    if (event.type === "signedOut") {
      const session = this.#sessions.get(event.profile.id);
      if (session !== undefined) session.tokens = undefined;
      if (event.reason === "removed") this.#sessions.delete(event.profile.id);
    }
    for (const listener of this.#listeners) listener(Object.freeze(event));
  }

  // Profiles and sessions

  async profiles(): Promise<ProfileRecord[]> {
    const all = await this.records.all<ProfileRecord>("profile/");
    return all.sort((one, other) => one.registeredAt - other.registeredAt);
  }

  /** The record of a profile, or of the one that signed in last. */
  async find(profile?: Profile | undefined): Promise<ProfileRecord | undefined> {
    const id = profile?.id ?? await this.records.read<string>("current");
    return id === undefined ? undefined : this.records.read<ProfileRecord>(`profile/${id}`);
  }

  async stored(profile?: Profile | undefined): Promise<ProfileRecord> {
    const record = await this.find(profile);
    if (record !== undefined) return record;
    throw new IdentityError("notRegistered", "no such profile on this device");
  }

  async ofUser(userID: string): Promise<ProfileRecord | undefined> {
    return (await this.profiles()).find((profile) => profile.userID === userID);
  }

  /** The session of stored tokens; `undefined` for a profile that is signed out. */
  async session(record: ProfileRecord): Promise<Session | undefined> {
    const known = this.#sessions.get(record.id);
    if (known?.tokens !== undefined) return known;
    const tokens = await this.records.read<Tokens>(`tokens/${record.id}`);
    return tokens && this.adopt(record, tokens);
  }

  adopt(record: ProfileRecord, tokens: Tokens): Session {
    const session = this.#sessions.get(record.id) ?? new Session(this, profileOf(record));
    session.tokens = tokens;
    session.update(profileOf(record));
    this.#sessions.set(record.id, session);
    return session;
  }

  /** The record of a profile has changed. */
  changed(record: ProfileRecord): void {
    this.#sessions.get(record.id)?.update(profileOf(record));
  }

  // Keys

  async key(name: string): Promise<NamedKey> {
    const key = await this.services.keys.find(name).catch(() => undefined);
    if (key !== undefined) return { name, key };
    throw new IdentityError("keyUnavailable", "the key does not exist on this device");
  }

  async makeKey(): Promise<NamedKey> {
    const name = this.random();
    return { name, key: await this.services.keys.make(name) };
  }

  /** Removes those of the keys to which no record refers. */
  async dropKeys(names: readonly (string | undefined)[]): Promise<void> {
    if (names.every((name) => name === undefined)) return;
    const prefixes = ["profile/", "tokens/", "pending/", "redirect/"];
    const records = (await Promise.all(
      prefixes.map((prefix) => this.records.all<{ key?: string }>(prefix)))).flat();
    const used = new Set(records.map(({ key }) => key));
    for (const name of new Set(names)) {
      if (name === undefined || used.has(name)) continue;
      await this.records.write({ [`pin/${name}`]: null });
      await this.services.keys.remove(name);
    }
  }
}

/** An event of another tab. */
function revived(text: string): SessionEvent {
  const event = JSON.parse(text) as SessionEvent;
  if (!("profile" in event) || event.profile === undefined) return event;
  const { profile } = event;
  return { ...event, profile: { ...profile, registeredAt: new Date(profile.registeredAt) } };
}
