// SPDX-License-Identifier: Apache-2.0
// Sessions for which nobody is asked and of which nothing is kept: a person's by this browser's key
// alone, and the installation's own (docs/registration.md, "Signing in as a device").

/** Beside whatever session the person has. */
async function implicitSession(book, profileID, { scopes, signal }) {
  const profile = await book.stored(profileID);
  if (!Array.isArray(scopes) || scopes.length === 0) {
    throw new IdentityError("authentication", "configurationInvalid", "scopes are missing");
  }
  const tokens = await tokensByKey(book, profile, { scopes, signal }, "authentication");
  const session = new Session(
    async ({ known }) => obtain(book, await book.stored(profile.id), known), book);
  session.adopt(tokens, shown(profile));
  return session;
}

/** This browser itself, without anybody who uses it. */
class Device {
  #book;

  constructor(book) { this.#book = book; }

  /** For what the project gives to devices (`registration.device_scopes`). */
  async session({ scopes, profileID, signal } = {}) {
    const domain = "authentication";
    const profile = await this.#registered(profileID);
    const obtained = (limit) => tokensByKey(
      this.#book, profile, { scopes, signal: limit, isDevice: true }, domain);
    const tokens = await obtained(signal);
    const session = new DeviceSession(() => obtained(undefined), this.#book);
    session[held] = tokens;
    return session;
  }

  /** Whose registration the key came with makes no difference to what is given. */
  async #registered(profileID) {
    const book = this.#book;
    const stored = await book.stored(profileID).catch((error) => {
      if (profileID !== undefined || error.code !== "notRegistered") throw error;
      return undefined;
    });
    const others = profileID === undefined ? (await book.all()).reverse() : [];
    const known = [stored, ...others].find((one) => one?.installationID && one.keyID);
    if (known) return known;
    throw new IdentityError(
      "authentication", "notRegistered", "this browser has no registered key");
  }
}
