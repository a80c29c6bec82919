// SPDX-License-Identifier: Apache-2.0
// What pages call.

/** The people of one browser, at one provider. Make one for each configuration, and keep it. */
export class IdentityClient extends EventTarget {
  #book;
  #approvals;
  #device;

  constructor(configuration) {
    super();
    this.#book = new ProfileBook(checked(configuration), (type, detail) => {
      this.dispatchEvent(new CustomEvent(type, { detail }));
    });
    [this.#approvals, this.#device] = [new Approvals(this.#book), new Device(this.#book)];
  }

  /** What others ask people to approve in this browser. */
  get approvals() { return this.#approvals; }

  /** This browser itself, without anybody who uses it. */
  get device() { return this.#device; }

  /** Lets go of what the browser holds for it. */
  close() { this.#book.close(); }

  /** Asks the provider what it says of itself, so that what follows need not wait for it. */
  async start() {
    const { metadata, addresses } = await this.#book.connection.documents();
    return Object.freeze({
      issuer: metadata.issuer, registersApps: "register" in addresses,
    });
  }

  /** Everybody who is registered in this browser, whoever came first first. */
  async profiles() { return (await this.#book.all()).map(shown); }

  /** The session of somebody who is registered here; without `profileID`, who signed in last. */
  session(profileID) { return this.#book.session(profileID); }

  // Registering

  /** Registers this browser with evidence, and with it a person. */
  async register(request, options = {}) { return register(this.#book, request, options); }

  /** The operator's own services by which people may register here, as they are now. */
  identityProviders() { return identityProviders(this.#book); }

  /** Registers by one of those; `answer` is asked what the person says, once or more. */
  registerWith(provider, answer, options) {
    return registerWith(this.#book, provider, answer, options);
  }

  /** Registrations whose end is not known. Do each again, with its key and for the same person. */
  pendingRegistrations() { return pendingRegistrations(this.#book); }

  /** Gives this browser a key for somebody who has just signed in on the provider's page. */
  async registerInstallation(profileID, options = {}) {
    const session = await this.session(profileID);
    const evidence = async () => ({ access_token: (await session.accessToken()).value });
    await session.accessToken();
    const { id } = session.profile;
    const boundTo = (await this.#book.store.read(`tokens/${id}`))?.key;
    const stored = await this.#book.stored(id);
    if (stored.installationID && stored.key === boundTo) {
      const { method, registrationID: idempotencyKey } = stored;
      return Object.freeze({ profile: shown(stored), isNewProfile: false, method, idempotencyKey });
    }
    const made = await register(this.#book, { method: "oidc", evidence, boundTo }, options);
    // The registration revoked the grant of these tokens. If the sign-in fails, the next renewal
    // signs in with the key.
    await signIn(this.#book, deviceKey, { profileID: made.profile.id }).catch(() => {});
    return made;
  }

  /** Leaves for the provider's page, where people sign in or make an account. Does not return. */
  async registerInBrowser(options = {}) {
    location.assign(await browserRequest(this.#book, options));
    return new Promise(() => {});
  }

  /** The address of that page, for who opens it in a way of their own. */
  async browserRequest(options = {}) { return browserRequest(this.#book, options); }

  /** Reads the provider's answer from the address; `null` when there is none. */
  async completeInBrowser(address = location.href) {
    return completeInBrowser(this.#book, address);
  }

  // Signing in

  /** Signs somebody in, asking nobody: with this browser's key, or with a credential. */
  async signIn(method = deviceKey, options = {}) { return signIn(this.#book, method, options); }

  /** A session of somebody by this browser's key alone, beside theirs; nothing of it is kept. */
  async implicitSession(profileID, options = {}) {
    return implicitSession(this.#book, profileID, options);
  }

  // Leaving

  /** Signs somebody out; profile and key stay. `thisDevice`, `everywhere` or `localOnly`. */
  async signOut(profileID, scope = "thisDevice") {
    return signOut(this.#book, profileID, scope);
  }

  /** Removes somebody: at the provider this browser's key and grants, and here everything. */
  async remove(profileID) { return remove(this.#book, profileID); }

  /** Closes somebody's account. There is no half of it: when it is refused, nothing happens. */
  async deleteAccount(profileID) { return deleteAccount(this.#book, profileID); }

  /** Removes everything that is kept in this browser, and tells no provider. */
  async eraseLocalState() { return eraseLocalState(this.#book); }
}

function checked({
  issuer, clientID, scopes = usualScopes, redirectURI, installationName = "", timeoutSeconds = 30,
}) {
  const refuse = (reason) => new IdentityError("generic", "configurationInvalid", reason);
  if (!globalThis.isSecureContext || !navigator.locks || !crypto.subtle) {
    throw refuse("this page is no secure context: serve it over https");
  }
  if (!isProtected(issuer) || issuer.endsWith("/")) {
    throw refuse("issuer must be https (or http on this machine), with no slash at its end");
  }
  if (typeof clientID !== "string" || clientID === "") throw refuse("clientID is empty");
  if (utf8.encode(installationName).length > 128) {
    throw refuse("installationName is longer than 128 bytes");
  }
  if (!scopes.every((scope) => /^\S+$/.test(scope))) {
    throw refuse("a scope is empty or has a space");
  }
  if (!(timeoutSeconds >= 1 && timeoutSeconds <= 600)) throw refuse("timeoutSeconds: 1 to 600");
  return Object.freeze({
    issuer, clientID, scopes: [...scopes], redirectURI, installationName, timeoutSeconds,
  });
}
