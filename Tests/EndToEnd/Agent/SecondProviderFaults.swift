// SPDX-License-Identifier: Apache-2.0

/// What the agent says of each wrong answer of the second provider (`peers/platform_sso/provider_faults.py`): an answer
/// that it refused for another reason would prove nothing.
enum SecondProviderFaults {
    static let reasons: [String: String] = claims.merging(token) { $1 }
        .merging(response) { $1 }.merging(envelope) { $1 }.merging(wire) { $1 }
        .merging(endpoints) { $1 }.merging(keyAnswers) { $1 }

    /// Errors in the encryption or its encoding, for every response.
    static let ofEveryAnswer = envelope.merging(wire) { $1 }

    private static let claims = [
        "claims: another issuer": "issuer_mismatch: iss is https://other.example.com",
        "claims: no issuer": "claim_missing: iss is missing",
        "claims: another audience": #"audience_mismatch: aud is ["other"]"#,
        "claims: no audience": "claim_missing: aud is missing",
        "claims: several audiences, none of them ours": #"audience_mismatch: aud is ["a", "b"]"#,
        "claims: no time of issue": "claim_missing: iat is missing",
        "claims: several audiences without azp": "claim_missing: azp is missing",
        "claims: another azp": "authorized_party_mismatch: azp is other",
        "claims: another nonce": "nonce_mismatch: nonce is another request's",
        "claims: no nonce": "claim_missing: nonce is missing",
        "claims: issued in the future": "issued_in_future: iat lies in the future",
        "claims: expired": "expired: exp has passed",
        "claims: no expiry": "claim_missing: exp is missing",
        "claims: not before tomorrow": "not_yet_valid: nbf lies in the future",
        "claims: another subject": somebodyElse,
        "claims: no subject": somebodyElse,
        "claims: an empty subject": somebodyElse,
        "claims: a subject in another case": somebodyElse,
        "claims: another time of sign-in":
            "authentication_time_mismatch: auth_time is not that of the login",
    ]
    private static let somebodyElse =
        "the response of the provider names another person than the one who is registered here"

    private static let token = [
        "token: none": "claim_missing: id_token is missing",
        "token: algorithm none": "algorithm_not_allowed: no such signature algorithm here",
        "token: HS256 with the public key as a point": notPinned,
        "token: HS256 with the public key as coordinates": notPinned,
        "token: HS256 with the public key as SPKI": notPinned,
        "token: HS256 with the public key as PEM": notPinned,
        "token: HS256 with the public key as PEM without its last line end": notPinned,
        "token: HS256 with the public key as a JWK": notPinned,
        "token: HS256 with the public key as a JWK in canonical form": notPinned,
        "token: another algorithm over the same signature":
            "algorithm_not_allowed: the key is of another kind than the algorithm",
        "token: key without a name": "key_not_found: the ID token names no key",
        "token: key of nobody": noKey,
        "token: foreign signature": wrongSignature,
        "token: by the encryption key":
            "algorithm_not_allowed: use or key_ops do not permit verification",
    ]
    private static let notPinned = "algorithm_not_allowed: HS256 is not pinned"
    private static let noKey = "key_not_found: 0 keys could have signed"
    private static let wrongSignature = "signature_invalid: the signature is wrong"

    private static let response = [
        "response: no refresh token": "claim_missing: refresh_token is missing",
        "response: no lifetime":
            "claim_missing: neither refresh_token_expires_in nor expires_in is there",
    ]

    private static let envelope = [
        "header: no epk": noEphemeralKey,
        "header: epk on another curve": noEphemeralKey,
        "header: no apu": otherSender,
        "header: apu of another key": otherSender,
        "header: compressed": "algorithm_not_allowed: zip is present",
        "header: algorithm dir": otherEncryption,
        "header: algorithm ECDH-ES+A256KW": otherEncryption,
        "header: A128GCM": otherEncryption,
        "header: HPKE": "hpke_not_offered: HPKE is not supported",
        "encryption: another recipient": closed,
        "encryption: another apv": closed,
        "encryption: no JSON inside": "malformed: not a JSON object",
    ]
    private static let noEphemeralKey = "ephemeral_key_malformed: epk is not a public key on P-256"
    private static let otherSender = "apu_mismatch: apu does not name the ephemeral key"
    private static let otherEncryption = "algorithm_not_allowed: not ECDH-ES with A256GCM"
    private static let closed = "decryption_failed: the response cannot be decrypted"

    private static let wire = [
        "wire: changed ciphertext": closed,
        "wire: changed tag": closed,
        "wire: changed iv": closed,
        "wire: iv of 96 bytes": closed,
        "wire: in the clear": "malformed: the tag is not base64url",
        "wire: empty": otherParts,
        "wire: a page": otherParts,
        "wire: four parts": otherParts,
        "wire: a wrapped key": closed,
        "wire: too long": "it is too long",
    ]
    private static let otherParts = "malformed: a compact JWE has five parts"

    private static let endpoints = [
        "keys: none": noKey,
        "keys: another under the same name": wrongSignature,
        "nonce: 503": "the provider cannot do it now: busy",
        "nonce: another name": "no nonce at Nonce",
        "status 500": "the provider cannot do it now: server_error",
    ]

    private static let keyAnswers = [
        "key: too short": "claim_malformed: not one of a certificate in DER and a key of 32 bytes",
        "key: another": "it was not sealed by this person on this device, or was changed",
        "key: none": "claim_missing: neither certificate nor key",
        "key: expired": "expired: exp has passed",
    ]
}
