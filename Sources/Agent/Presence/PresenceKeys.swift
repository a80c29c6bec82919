// SPDX-License-Identifier: Apache-2.0
package import CTAP
import JOSE
package import Primitives
import WebAuthn

/// The security keys of people, which protect keys of the agent: a security key returns the secret
/// that such a key needs only after a touch, and after its PIN or finger unless a touch is
/// sufficient (`hmac-secret`, CTAP 2.2 section 12.7). Another response opens nothing.
package struct PresenceKeys: Sendable {
    private let source: any AuthenticatorSource
    private let random: any RandomSource

    /// No page can have it (RFC 6761 section 6.4), so no page gets the secret.
    private static let relyingParty = "agent.gatehouse.invalid"
    /// ES256 and EdDSA of COSE; their signatures are not verified.
    private static let algorithms: [Int64] = [-7, -8]
    private static let patience = Duration.seconds(60)

    package init(source: any AuthenticatorSource, random: any RandomSource) {
        self.source = source
        self.random = random
    }

    /// A credential on whichever key is touched.
    ///
    /// - Parameter isVerified: Whether a touch is not enough.
    /// - Throws: `unsupported` for keys without `hmac-secret`.
    func enrol(
        _ account: String, isVerified: Bool, _ interaction: any SecurityKeyInteraction
    ) async throws(SecurityKeyError) -> PresenceCredential {
        var options = RegistrationOptions(
            relyingPartyId: Self.relyingParty, relyingPartyName: "Gatehouse",
            user: CTAPUser(id: random.bytes(32), name: account, displayName: account),
            challenge: random.bytes(32), algorithms: Self.algorithms)
        options.userVerification = isVerified ? .required : .discouraged
        options.timeout = Self.patience
        options.extensions.prf = Self.prf(nil, isVerified)
        let made = try await client(interaction).register(options, caller: caller)
        guard made.clientExtensionResults["prf"]?["enabled"]?.bool == true else {
            throw .unsupported("hmac-secret")
        }
        return PresenceCredential(
            identifier: made.credentialId, input: random.bytes(32), isVerified: isVerified)
    }

    private static func prf(_ input: [UInt8]?, _ isVerified: Bool) -> PRFRequest {
        var request = PRFRequest(eval: input.map { .init(first: $0) })
        request.needsVerification = isVerified
        return request
    }

    /// What the key of that credential says when it is touched: 32 bytes.
    func secret(
        _ credential: PresenceCredential, _ interaction: any SecurityKeyInteraction
    ) async throws(SecurityKeyError) -> Secret {
        var options = AssertionOptions(
            relyingPartyId: Self.relyingParty, challenge: random.bytes(32))
        options.allowCredentials = [CTAPCredentialDescriptor(id: credential.identifier)]
        options.userVerification = credential.isVerified ? .required : .discouraged
        options.timeout = Self.patience
        options.extensions.prf = Self.prf(credential.input, credential.isVerified)
        let answer = try await client(interaction).signIn(options, caller: caller)
        let text = answer.clientExtensionResults["prf"]?["results"]?["first"]?.string
        guard var bytes = text.flatMap({ Base64URL.decode($0) }), bytes.count == 32 else {
            throw .unsupported("hmac-secret")
        }
        return Secret(wiping: &bytes)
    }

    private func client(_ interaction: any SecurityKeyInteraction) -> SecurityKeyClient {
        SecurityKeyClient(source: source, interaction: interaction, random: random)
    }

    /// Of no page and no app.
    private var caller: CeremonyCaller {
        let data: JSONValue = [
            "type": "gatehouse.presence", "challenge": .string(Base64URL.encode(random.bytes(32))),
        ]
        return .browser(clientDataJSON: data.bytes)
    }
}
