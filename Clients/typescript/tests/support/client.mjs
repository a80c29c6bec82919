// SPDX-License-Identifier: Apache-2.0
// Clients whose platform is in memory.
import { webcrypto } from "node:crypto";
import { IdentityClient } from "../../dist/index.node.js";
import { faultyFetch, memoryServices, scriptedBrowser } from "../../dist/testing/index.js";

/** A client of a fake provider, with everything that tests look at. */
export function clientOf(provider, more = {}) {
  const faults = faultyFetch(provider.fetch);
  const services = {
    ...memoryServices(webcrypto), fetch: faults.fetch,
    browser: scriptedBrowser(async (url) => provider.authorize(url)), ...more.services,
  };
  const client = new IdentityClient({
    issuer: provider.issuer, clientID: "notes", redirectURI: "https://app.example/", ...more,
    services,
  });
  const events = [];
  client.listen((event) => { events.push(event.type); });
  return { client, services, faults, events };
}

/** The error of a call. */
export async function errorOf(body) {
  try { await body(); } catch (error) { return error; }
  throw new Error("nothing was thrown");
}

export const codeOf = async (body) => (await errorOf(body)).code;
