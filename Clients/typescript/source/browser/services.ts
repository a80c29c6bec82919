// SPDX-License-Identifier: Apache-2.0
// The platform of a page: IndexedDB, Web Locks, WebCrypto, BroadcastChannel.
import { misconfigured } from "../core/errors.js";
import type { Channel, CryptoProvider, Locks, Services } from "../core/seams.js";
import type { ClientConfiguration } from "../core/types.js";
import { Database, DatabaseKeys, DatabaseStorage } from "./database.js";
import { redirect } from "./pages.js";

const webLocks: Locks = {
  with: (name, signal, body) =>
    navigator.locks.request(name, signal === undefined ? {} : { signal }, body),
};

const channel = (name: string) => (listener: (text: string) => void): Channel => {
  const open = new BroadcastChannel(name);
  open.onmessage = ({ data }) => listener(String(data));
  return { post: (text) => open.postMessage(text), close: () => open.close() };
};

export function browserServices({ issuer, clientID, services }: ClientConfiguration): Services {
  if (globalThis.isSecureContext === false || navigator.locks === undefined) {
    throw misconfigured("this page is no secure context: serve it over https");
  }
  const name = `gatehouse 2 ${issuer} ${clientID}`;
  const database = new Database(name);
  const provider = crypto as CryptoProvider;
  return {
    storage: new DatabaseStorage(database), keys: new DatabaseKeys(database, provider),
    locks: webLocks, browser: redirect(), crypto: provider, channel: channel(name),
    fetch: (input, init) => fetch(input, init), now: () => Date.now(),
    page: {
      href: () => location.href, replace: (url) => history.replaceState(history.state, "", url),
    },
    ...services,
  };
}
