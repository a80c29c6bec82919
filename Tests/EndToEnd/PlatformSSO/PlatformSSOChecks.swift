// SPDX-License-Identifier: Apache-2.0

/// What the second client must have checked, in its order. An attack that is left out is a failure.
enum PlatformSSOChecks {
    static let all: [String] =
        signIns
        + messages.flatMap { message in
            attacks.filter { !message.lacks.contains($0) }.map { "\(message.name): \($0)" }
        } + inside + contexts + afterwards

    private static let signIns = [
        "unknown registration token: 400", "encryption key not proven: 400",
        "signing key not proven: 400", "kid of another key: 400", "device registered",
        "registration nonce twice: 400", "device registered again by its own key",
        "serial number of another: 400", "another's encryption key: 400",
        "token of another serial number: 400", "registration token twice: 400", "password",
        "encrypted password", "wrong password: 401", "unknown person: 401",
        "wrong encrypted password: 401", "empty password: 401", "empty encrypted password: 401",
        "user key without a sign-in: 400",
        "user key not proven: 400", "user key for somebody else: 400",
        "device key as user key: 400", "user key of somebody else: 400", "user key",
        "unknown user key: 401", "user key of another person: 401",
        "refresh token of another device: 401", "refresh token that is none: 401",
        "refresh, and once more within the grace", "refresh token at the token endpoint: 400",
        "key request of version 1.0: 400", "key request, twice the same certificate",
        "key exchange", "no key context: 400", "token of another person: 400",
    ]

    /// Every kind of signed message is attacked in each of these ways, unless it lacks what is attacked.
    private static let messages: [(name: String, lacks: Set<String>)] = [
        ("password", []), ("encrypted password", []), ("user key", []), ("smart card", []),
        ("WS-Trust", []), ("web login", []), ("refresh", []), ("key request", []),
        ("key exchange", []),
        ("authorization request", ["wrong apv", "HPKE", "audience elsewhere"]),
        ("device registration", proof.union(["device that is none"])),
        ("key replacement", proof), ("user registration, device's proof", proof),
        ("user registration, person's proof", proof.union(["device that is none"])),
        ("user registration, card's proof", proof.union(["device that is none"])),
        ("unregistration", proof),
    ]
    /// No proof asks for an encrypted answer, or names a client.
    private static let proof: Set<String> = ["wrong apv", "HPKE", "another client"]
    private static let attacks = [
        "replayed nonce", "nonce of nobody", "swapped device key", "kid collision",
        "device that is none", "wrong apv", "expired", "future", "lives too long", "unsigned",
        "algorithm none", "HS256 with the public key", "HPKE", "audience elsewhere",
        "another client", "another type", "oversized", "good after all",
    ]

    private static let inside = [
        ("user key", differences + signatures), ("smart card", differences + signatures),
        ("encrypted password", differences),
    ].flatMap { kind, attacks in attacks.map { "\(kind), inside: \($0)" } }
    private static let differences = [
        "for another user", "for another user in sub only", "for another user in iss only",
        "scope differing inside and outside", "nonce differing inside and outside",
        "server nonce differing inside and outside", "audience elsewhere", "expired", "future",
    ]
    private static let signatures = [
        "replayed from an earlier login", "algorithm none", "HS256 with the public key",
        "unsigned", "kid collision", "by the device key", "by a key of nobody", "another type",
    ]

    private static let contexts = [
        "key context: another device's", "key context: another device's, the other way round",
        "key context: another person's on the same device",
        "key context: another person's token", "key context: another device's token",
        "key context: changed", "key context: cut off", "key exchange with point off the curve",
        "key exchange with point of zeros", "key exchange with no point",
        "key exchange with the point at infinity",
    ]

    private static let afterwards = [
        "login on a revoked device: 400", "refresh on a revoked device: 400",
        "exchange on a revoked device: 400", "revoked keys registered again: 400",
        "smart card, EC", "smart card, RSA", "card of another person: 401",
        "card of another authority: 401", "expired card: 401", "card without its key: 401",
        "authority as card: 401", "smart card registered", "revoked card: 401",
        "SAML assertion: 400", "WS-Trust, ecdsa-sha256", "WS-Trust, rsa-sha256",
        "SAML assertion twice: 400", "SAML assertion of another person: 400",
        "SAML assertion of another service: 400", "SAML assertion of another issuer: 400",
        "SAML assertion for another audience: 400", "SAML assertion expired: 400",
        "SAML assertion unsigned: 400", "SAML assertion changed: 400",
        "SAML assertion cut short by a comment: 400", "SAML assertion with an entity: 400",
        "SAML assertion wrapped around another: 400", "preauthentication", "times in strings",
        "names of keys in base64url", "macOS 13: JWT as type, request as name, version 1",
        "macOS 13: JWT as type inside and outside",
        "keys and secrets that begin with zeros, exchanged in parallel", "no attestation: 400",
        "attestation by another: 400",
        "attestation of another serial number: 400", "attestation for another nonce: 400",
        "attested device registered, and again after it was wiped",
        "password for the encryption key of before, and for the new one",
        "password for a retired encryption key: 400",
        "sign-in by a key of the machine whose place was taken",
        "user key by a key of the machine whose place was taken: 400",
        "another person on a machine of one: 400",
        "key of one person for another machine: 400",
        "key of one person after the machine has its own: 400",
        "keys of one person became the machine's", "code on another device: 401",
        "code with another state: 401", "code for another person: 400",
        "code at the token endpoint: 400", "web login", "code twice: 401",
        "authorization request twice: 400", "redirect elsewhere: 400", "state of nobody: 400",
        "Setup Assistant", "person outside of the groups: 400",
        "machine that nobody vouches for: 400", "machine out of order: 400",
        "machine in order, with an access token",
    ]
}
