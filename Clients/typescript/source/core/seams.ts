// SPDX-License-Identifier: Apache-2.0
// The seams to a platform: plain interfaces, which an app may implement for its own platform.

/** The public part of a P-256 key (RFC 7518 section 6.2.1). */
export interface PublicJWK {
  readonly kty: "EC";
  readonly crv: "P-256";
  readonly x: string;
  readonly y: string;
}

/** A P-256 key pair and a symmetric key that encrypts for this device. */
export interface Key {
  readonly jwk: PublicJWK;
  /** Whether hardware protects it. Tokens say `hwk` only if the provider has evidence of that. */
  readonly isHardware: boolean;
  /** ECDSA with SHA-256; r and s, 64 bytes (RFC 7518 section 3.4). */
  sign(message: Uint8Array): Promise<Uint8Array>;
  /** Encrypts and authenticates; `context` is authenticated, not encrypted. */
  seal(plaintext: Uint8Array, context: Uint8Array): Promise<Uint8Array>;
  /** Decrypts the output of `seal`; throws for anything else. */
  open(sealed: Uint8Array, context: Uint8Array): Promise<Uint8Array>;
}

/** Creates and finds keys by name. Private keys do not leave it. */
export interface Keys {
  make(name: string): Promise<Key>;
  find(name: string): Promise<Key | undefined>;
  remove(name: string): Promise<void>;
  /** Removes all keys. */
  clear(): Promise<void>;
}

/** Texts by name. One storage belongs to one issuer and client. */
export interface Storage {
  read(name: string): Promise<string | undefined>;
  /** Saves each text and deletes the names with `null`, all of them or none. */
  write(changes: Readonly<Record<string, string | null>>): Promise<void>;
  /** The names that start with `prefix`, in order. */
  names(prefix: string): Promise<string[]>;
  /** Reads and deletes. Of two concurrent callers one gets the text. */
  take(name: string): Promise<string | undefined>;
}

/** Mutual exclusion of all tabs or processes that share the storage. */
export interface Locks {
  /** Runs `body` while no other holder of `name` runs; waits until `signal` is aborted. */
  with<T>(name: string, signal: AbortSignal | undefined, body: () => Promise<T>): Promise<T>;
}

/** Options of one presentation of a page. */
export interface BrowserOptions {
  /** The redirect URI of the configuration. */
  readonly redirectURI: string | undefined;
  readonly signal: AbortSignal | undefined;
}

/** Presents pages of the provider. */
export interface Browser {
  /**
   * Opens `page` of a redirect URI and returns the URL to which the provider redirects. `accepts`
   * reports whether a URL is the response to this page. A browser that leaves the app's own page
   * does not return; `completeRedirect` continues then.
   */
  callback(
    page: (redirectURI: string) => string, accepts: (url: string) => boolean,
    options: BrowserOptions,
  ): Promise<string>;
  /** Sends a response to the window that waits for it. Returns whether one received it. */
  deliver?(url: string): Promise<boolean>;
}

/** The part of WebCrypto that the client uses. */
export interface CryptoProvider {
  readonly subtle: SubtleCrypto;
  getRandomValues(array: Uint8Array): Uint8Array;
}

/** Messages to the other tabs of the same storage. */
export interface Channel {
  post(text: string): void;
  close(): void;
}

/** The URL of the page in which the client runs. */
export interface CurrentPage {
  href(): string;
  replace(url: string): void;
}

/** Everything that the client uses of its platform. */
export interface Services {
  readonly storage: Storage;
  readonly locks: Locks;
  readonly keys: Keys;
  readonly browser: Browser;
  readonly crypto: CryptoProvider;
  readonly fetch: typeof fetch;
  /** Milliseconds since 1970. */
  readonly now: () => number;
  readonly channel?: (listener: (text: string) => void) => Channel;
  readonly page?: CurrentPage;
  /** Receives what a developer needs to know of a failure: no secrets. */
  readonly log?: (line: string) => void;
}
