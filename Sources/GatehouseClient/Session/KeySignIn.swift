// SPDX-License-Identifier: Apache-2.0
import AppRegistration
import OAuth
import Primitives

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// Signs somebody in with the installation's key: it signs a nonce of the provider's
/// (`docs/registration.md`, "Signing in").
struct KeySignIn: Sendable {
    let connection: ProviderConnection
    let endpoint: TokenEndpoint
    let key: any SigningKey

    /// - Throws: ``TokenRefusal`` when the key is not taken, and
    ///   ``IdentityError/Code/clockWrong`` when this machine's clock is why.
    func run(
        userID: String, keyID: String, scopes: [String], in domain: IdentityError.Domain
    ) async throws -> StoredTokens {
        let assertion = try await assertion(of: userID, typ: "JWT", keyID, domain)
        return try await request(
            Self.form(assertion, scopes), expecting: .init(subject: userID), domain)
    }

    /// Signs nobody in: the installation speaks of itself.
    ///
    /// - Parameter scopes: With `nil` all that a device may have.
    /// - Throws: As the other.
    func runAsDevice(
        _ installationID: String, keyID: String, scopes: [String]?
    ) async throws -> StoredTokens {
        let assertion = try await assertion(
            of: installationID, typ: SignInToken.deviceType, keyID, .authentication)
        return try await request(Self.form(assertion, scopes), expecting: .init(), .authentication)
    }

    private func assertion(
        of subject: String, typ: String, _ keyID: String, _ domain: IdentityError.Domain
    ) async throws -> String {
        let answer = try await connection.post("sign_in_challenge", nil, in: domain)
        guard let challenge = ServerChallenge(answer) else {
            throw ProviderConnection.invalid("the challenge is incomplete")
        }
        let token = SignInToken(
            userID: subject, audience: challenge.audience, nonce: challenge.nonce,
            expiresAt: connection.clock.now.seconds + SignInToken.longestLifetime)
        return try await KeySignature.jws(payload: token.json, typ: typ, kid: keyID, by: key)
    }

    private func request(
        _ form: [(String, String)], expecting expectation: TokenEndpoint.Expectation,
        _ domain: IdentityError.Domain
    ) async throws -> StoredTokens {
        do {
            return try await endpoint.request(form, expecting: expectation, in: domain)
        } catch let refusal as TokenRefusal where refusal.isGrantDead {
            try blameClock(refusal, domain)
            throw refusal
        }
    }

    static func form(_ assertion: String, _ scopes: [String]?) -> [(String, String)] {
        let form = [
            ("grant_type", TokenRequest.assertionGrantType), ("assertion", assertion),
        ]
        return form + (scopes.map { [("scope", $0.joined(separator: " "))] } ?? [])
    }

    /// A token that ends five minutes from now, by a clock that is wrong, is refused by one that is
    /// right.
    private func blameClock(_ refusal: TokenRefusal, _ domain: IdentityError.Domain) throws {
        guard let date = refusal.answer.header("date").flatMap(HTTPDate.read) else { return }
        let difference = (connection.clock.now - Timestamp(date)).seconds
        guard !(-240...240).contains(difference) else { return }
        throw IdentityError(
            domain, .clockWrong, "this machine's clock is \(difference) seconds off the provider's")
    }
}

/// The date of an HTTP answer (RFC 9110 section 5.6.7, the one form that is still written).
enum HTTPDate {
    private static let months = [
        "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
    ]

    static func read(_ text: String) -> Date? {
        let parts = text.split(separator: " ")
        guard parts.count == 6, parts[5] == "GMT",
            let month = months.firstIndex(of: String(parts[2])),
            let time = Timestamp(
                rfc3339:
                    "\(parts[3])-\(twoDigits(month + 1))-\(parts[1])T\(parts[4])Z")
        else { return nil }
        return time.date
    }

    private static func twoDigits(_ number: Int) -> String {
        number < 10 ? "0\(number)" : "\(number)"
    }
}
