// SPDX-License-Identifier: Apache-2.0
// Signing out, removing a profile, closing an account. It is done here whatever the provider says;
// only an account is closed at the provider first.

async function signOut(book, profileID, scope) {
  const profile = await book.stored(profileID);
  const result = await outcome(async () => {
    if (scope === "everywhere") await deleteAs(book, profile, "sign_ins", "signOut");
    else if (scope === "thisDevice") await revoke(book, profile);
  });
  await book.lockedFor([profile.id], async () => {
    const tokens = await book.store.read(`tokens/${profile.id}`);
    await book.store.write({
      [`tokens/${profile.id}`]: null, ...book.keys.without(tokens?.key, profile),
    });
  });
  book.tell("signedout", { profile: shown(profile), reason: "requested" });
  return result;
}

async function remove(book, profileID) {
  const profile = await book.stored(profileID);
  const result = await outcome(() => profile.installationID
    ? deleteAs(book, profile, "installations", "deregistration", "/current")
    : revoke(book, profile));
  await book.forget(profile);
  return result;
}

async function deleteAccount(book, profileID) {
  const profile = await book.stored(profileID);
  await deleteAs(book, profile, "account", "deregistration");
  await book.forget(profile);
}

async function eraseLocalState(book) {
  const all = await book.all().catch(() => []);
  // In one order, so that of two tabs neither waits for the other.
  await book.lockedFor(all.map(({ id }) => id).sort(), () => book.store.clear());
  for (const profile of all) {
    book.tell("signedout", { profile: shown(profile), reason: "removed" });
  }
}

/** That the provider could not be told is an outcome and no error. */
async function outcome(body) {
  try {
    await body();
    return Object.freeze({ isComplete: true });
  } catch (error) {
    return Object.freeze({ isComplete: false, error });
  }
}

/** RFC 7009: the refresh token, and all that came from it. */
async function revoke({ store, connection, configuration }, profile) {
  const tokens = await store.read(`tokens/${profile.id}`);
  const { metadata } = await connection.knownDocuments();
  if (!tokens?.refreshToken || !metadata.revocation_endpoint) return;
  await connection.ask(metadata.revocation_endpoint, {
    method: "POST",
    body: new URLSearchParams({
      token: tokens.refreshToken, token_type_hint: "refresh_token",
      client_id: configuration.clientID,
    }),
  }, "signOut");
}

/** DELETE at one of the provider's named addresses, as that person. */
function deleteAs(book, profile, name, domain, path) {
  return askAsPerson(book, profile.id, name, { method: "DELETE", path }, domain);
}
