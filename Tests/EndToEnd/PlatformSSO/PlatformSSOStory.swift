// SPDX-License-Identifier: Apache-2.0
import Support
import Testing

extension EndToEnd {
    /// A Mac in Python, with nothing of ours on its side, signs in every way and then attacks.
    @Suite(
        "Platform SSO with a second client",
        .enabled(if: Repository.hasPeers, "needs .venv of Scripts/bootstrap"))
    struct PlatformSSOStory {
        @Test("a Mac registers, signs people in, refreshes and unlocks; every attack is refused")
        func mac() async throws {
            let server = try await ServerProcess("platform-sso")
            var anna = DeclaredState.user("anna")
            if case .object(var members) = anna {
                members["groups"] = ["staff", "climbing"]
                anna = .object(members)
            }
            let state = DeclaredState(
                users: [anna, DeclaredState.user("bea")],
                associatedApps: ["authsrv": ["ABCDE12345.com.example.sso"]],
                platformSSO: ["enabled": true])
            try await server.apply(state.text)
            let outcome = try await Command.peer(
                "platform_sso.py",
                [
                    server.issuer, server.dataDirectory + "/admin.token", "anna",
                    DeclaredState.password, "bea", DeclaredState.password,
                ])
            guard outcome.status == 0 else {
                throw HarnessError("\(outcome.output)\n\(outcome.errors)")
            }
            let checks = try JSON(parsing: Array(outcome.output.utf8))["checks"].array ?? []
            #expect(checks.compactMap(\.string) == Self.expected)
            let association = try await server.get("/.well-known/apple-app-site-association")
            #expect(
                association.text.contains(#""authsrv":{"apps":["ABCDE12345.com.example.sso"]}"#))
            let output = try await Command.gatehouse(
                "admin", "devices", "list", "--data-dir", server.dataDirectory)
            #expect(output.output.contains("revoked"))
            try await server.stop()
        }

        private static let expected = [
            "unknown registration token: 400", "encryption key not proven: 400",
            "signing key not proven: 400", "kid of another key: 400", "device registered",
            "registration nonce twice: 400", "device registered again by its own key",
            "serial number of another: 400", "another's encryption key: 400",
            "token of another serial number: 400", "registration token twice: 400",
            "password", "encrypted password",
            "wrong password: 401", "unknown person: 401", "wrong encrypted password: 401",
            "user key without a sign-in: 400", "user key not proven: 400",
            "user key for somebody else: 400", "device key as user key: 400",
            "user key of somebody else: 400", "user key", "unknown user key: 401",
            "user key of another person: 401", "assertion for another user: 400",
            "scope differs inside: 400", "nonce differs inside: 400",
            "server nonce differs inside: 400", "audience of the assertion: 400",
            "expired assertion: 400", "another user inside of the encryption: 400",
            "refresh token of another device: 401", "refresh token that is none: 401",
            "refresh, and once more within the grace",
            "refresh token at the token endpoint: 400",
            "key request of version 1.0: 400", "key request, twice the same certificate",
            "key exchange", "key context of another device: 400",
            "key context that was changed: 400", "no key context: 400",
            "token of another person: 400", "point off the curve: 400",
            "nonce twice: 400", "nonce of nobody: 400", "swapped device key: 400",
            "device that is none: 400", "apv of another device: 400", "apv of another nonce: 400",
            "HPKE: 400", "expired: 400", "future: 400", "audience elsewhere: 400",
            "another client: 400", "algorithm none: 400", "algorithm HS256: 400",
            "unsigned: 400", "another type: 400", "oversized",
            "login on a revoked device: 400", "refresh on a revoked device: 400",
            "exchange on a revoked device: 400", "revoked keys registered again: 400",
            "smart card, EC", "smart card, RSA", "card of another person: 401",
            "card of another authority: 401", "expired card: 401", "card without its key: 401",
            "authority as card: 401", "smart card registered", "revoked card: 401",
            "SAML assertion: 400", "no attestation: 400", "attestation by another: 400",
            "attestation of another serial number: 400", "attestation for another nonce: 400",
            "attested device registered, and again after it was wiped",
            "password for the encryption key of before, and for the new one",
            "password for a retired encryption key: 400",
            "another person on a machine of one: 400",
            "key of one person for another machine: 400",
            "key of one person after the machine has its own: 400",
            "keys of one person became the machine's", "code on another device: 401",
            "code with another state: 401", "code for another person: 400",
            "code at the token endpoint: 400", "web login", "code twice: 401",
            "authorization request twice: 400", "redirect elsewhere: 400",
            "state of nobody: 400", "Setup Assistant", "person outside of the groups: 400",
            "machine that nobody vouches for: 400", "machine out of order: 400",
            "machine in order, with an access token",
        ]
    }
}
