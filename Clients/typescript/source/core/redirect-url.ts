// SPDX-License-Identifier: Apache-2.0
// URLs that may contain a response of the authorization endpoint (RFC 6749 section 4.1.2).

export function parameters(url: string): URLSearchParams {
  try { return new URL(url).searchParams; } catch { return new URLSearchParams(); }
}

const own = ["code", "state", "iss", "error", "error_description", "error_uri"];

/** The URL without the parameters of a response; `undefined` if it contains none. */
export function withoutResponse(url: string): string | undefined {
  const query = parameters(url);
  if (!query.has("state") || !(query.has("code") || query.has("error"))) return undefined;
  const rest = new URL(url);
  for (const name of own) rest.searchParams.delete(name);
  return rest.href;
}
