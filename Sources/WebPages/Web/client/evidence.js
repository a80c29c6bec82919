// SPDX-License-Identifier: Apache-2.0
// What speaks for somebody who registers.

/** Credentials that a registered issuer signs; ask the app's own service, each time. */
export const signedJWT = (token) => Object.freeze({
  method: "signedJWT", evidence: async (challenge) => ({ token: await token(challenge) }),
  credential: token,
});

/** People for tests, made with a test registration key: never in an app that others get. */
export const testKey = ({ keyID, privateKey, subject, attributes = {} }) => {
  const token = async () => {
    const now = Math.floor(Date.now() / 1000);
    const claims = {
      ...attributes, iss: "testRegisterIssuer", aud: "testRegisterAudience", sub: subject,
      jti: random(16), iat: now, exp: now + 300,
    };
    const { key, alg } = await importPrivateKey(privateKey);
    return sign(json(claims), { alg, typ: "JWT", kid: keyID }, key);
  };
  return Object.freeze({
    method: "testKey", evidence: async () => ({ token: await token() }), credential: token,
  });
};

/** PKCS #8 in PEM, P-256 or RSA. */
async function importPrivateKey(pem) {
  const text = /-----BEGIN PRIVATE KEY-----([\sA-Za-z0-9+/=]+)-----END/.exec(pem)?.[1];
  if (text) {
    const bytes = Uint8Array.from(atob(text.replace(/\s/g, "")), (letter) => letter.charCodeAt(0));
    for (const alg of ["ES256", "RS256"]) {
      try {
        return {
          alg, key: await crypto.subtle.importKey("pkcs8", bytes, signing[alg], false, ["sign"]),
        };
      } catch { /* Of another kind. */ }
    }
  }
  throw new IdentityError(
    "generic", "configurationInvalid", "the private key must be PKCS #8 in PEM, P-256 or RSA");
}
