// SPDX-License-Identifier: Apache-2.0
// Who is registered in this browser, their sessions, and what all tabs are told.

const shown = ({ id, userID, username, registeredAt, method, installationID, keyID }) =>
  Object.freeze({
    id, userID, username, registeredAt: new Date(registeredAt), method, installationID,
    hasSignInKey: keyID !== undefined,
  });

class ProfileBook {
  #sessions = new Map();
  #channel;
  #name;
  #listener;

  /**
   * @param listener is told what happens, in whichever tab
   * @param host for a guest, of whom nothing is kept and other tabs hear nothing: the usual book
   */
  constructor(configuration, listener, host) {
    this.configuration = configuration;
    this.#name = `gatehouse ${configuration.issuer} ${configuration.clientID}`;
    this.store = host ? new MemoryStore() : new Store(this.#name);
    this.connection = host?.connection ?? new Connection(configuration, this.store);
    this.keys = new TokenKeys(this.store, this.connection);
    this.#listener = listener;
    if (host) return;
    this.#channel = new BroadcastChannel(this.#name);
    this.#channel.onmessage = ({ data }) => this.#happened(data.type, data.detail);
  }

  close() { this.#channel?.close(); }

  /** For one person, as long as the page is there. */
  guest() { return new ProfileBook(this.configuration, this.#listener, this); }

  /** One at a time, of all tabs of this origin. */
  async locked(what, signal, body) {
    try {
      return await navigator.locks.request(
        `${this.#name} ${what}`, signal ? { signal } : {}, body);
    } catch (cause) {
      if (cause?.name !== "AbortError") throw cause;
      throw new IdentityError("generic", "cancelled", "it was cancelled", { cause });
    }
  }

  /** The same for everybody in that list: nobody's tokens are renewed or kept meanwhile. */
  lockedFor([id, ...others], body) {
    if (id === undefined) return body();
    return this.locked(`session ${id}`, undefined, () => this.lockedFor(others, body));
  }

  tell(type, detail) {
    this.#channel?.postMessage({ type, detail });
    this.#happened(type, detail);
  }

  #happened(type, detail) {
    if (type === "signedout") {
      this.#sessions.get(detail.profile.id)?.adopt(undefined);
      this.#sessions.delete(detail.profile.id);
    }
    this.#listener(type, Object.freeze(detail));
  }

  async all() {
    const all = await this.store.all("profile");
    return all.sort((a, b) => a.registeredAt - b.registeredAt);
  }

  /** Somebody who is registered here; without `id`, who signed in last. */
  async stored(id) {
    const found = id ?? await this.store.read("current");
    const profile = found && await this.store.read(`profile/${found}`);
    if (profile) return profile;
    throw new IdentityError("authentication", "notRegistered", "no such profile is here");
  }

  async ofUser(userID) {
    return (await this.all()).find((profile) => profile.userID === userID);
  }

  async session(id) {
    const profile = await this.stored(id);
    const known = this.#sessions.get(profile.id);
    if (known) return known;
    const tokens = await this.store.read(`tokens/${profile.id}`);
    if (!tokens) throw new IdentityError("authentication", "notSignedIn", "they are signed out");
    return this.#keep(profile, tokens);
  }

  #keep(profile, tokens) {
    const session = this.#sessions.get(profile.id)
      ?? new Session((wish) => renew(this, profile, wish), this);
    session.adopt(tokens, shown(profile));
    this.#sessions.set(profile.id, session);
    return session;
  }

  /** Somebody's session with what a sign-in gave. Who was removed meanwhile does not come back. */
  async signedIn(profile, tokens, { isNew = false } = {}) {
    const [known, kept] = await this.locked(`session ${profile.id}`, undefined, async () => {
      const known = await this.store.read(`profile/${profile.id}`) ?? (isNew ? profile : undefined);
      if (!known) {
        await this.store.write(this.keys.without(tokens.key));
        throw new IdentityError("authentication", "notRegistered", "the profile was removed");
      }
      const before = await this.store.read(`tokens/${profile.id}`);
      const numbered = { ...tokens, generation: (before?.generation ?? 0) + 1 };
      await this.store.write({
        [`profile/${profile.id}`]: known, [`tokens/${profile.id}`]: numbered,
        current: profile.id, ...this.keys.without(before?.key, known, numbered),
      });
      return [known, numbered];
    });
    const session = this.#keep(known, kept);
    this.tell("signedin", { profile: shown(known) });
    return session;
  }

  /** Makes a session of tokens whose person may be new, and a profile unless there is one. */
  async enter(tokens, method) {
    const { sub } = tokens.claims ?? {};
    if (!sub) throw invalid("nobody is named: ask for the scope openid");
    const earlier = await this.ofUser(sub);
    const profile = earlier ?? {
      id: random(16), userID: sub, username: await this.#userName(tokens), method,
      registeredAt: Date.now(),
    };
    const session = await this.signedIn(profile, tokens, { isNew: !earlier });
    return { profile: session.profile, session, isNewProfile: !earlier };
  }

  /** Of who is new here; their identifier when the provider does not tell. */
  async #userName(tokens) {
    const { claims } = tokens;
    if (claims.preferred_username) return claims.preferred_username;
    try {
      const { metadata } = await this.connection.knownDocuments();
      const { body } = await this.connection.ask(metadata.userinfo_endpoint, {
        proved: (method, url, nonce) => this.keys.headers(tokens, method, url, nonce),
      }, "generic");
      // OpenID Connect Core section 5.3.2: it may be about nobody else.
      return (body.sub === claims.sub && body.preferred_username) || claims.sub;
    } catch {
      return claims.sub;
    }
  }

  /** Somebody has another key or installation now. */
  changed(profile) { this.#sessions.get(profile.id)?.adopt(undefined, shown(profile), true); }

  /** Removes all of a profile here. A renewal that is under way in any tab ends first. */
  async forget(profile) {
    await this.lockedFor([profile.id], async () => {
      const isCurrent = await this.store.read("current") === profile.id;
      const tokens = await this.store.read(`tokens/${profile.id}`);
      // A registration may have given them another key since.
      const now = await this.store.read(`profile/${profile.id}`);
      await this.store.write({
        ...this.keys.without(tokens?.key), ...this.keys.without(profile.key),
        ...this.keys.without(now?.key),
        [`profile/${profile.id}`]: null, [`tokens/${profile.id}`]: null,
        ...isCurrent && { current: null },
      });
    });
    this.tell("signedout", { profile: shown(profile), reason: "removed" });
  }
}
