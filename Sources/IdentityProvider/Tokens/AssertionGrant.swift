// SPDX-License-Identifier: Apache-2.0
import JOSE
import OAuth
import Primitives
import Storage

/// `grant_type=urn:ietf:params:oauth:grant-type:jwt-bearer`, RFC 7523 section 2.1: an app signs
/// somebody in with a token that their installation's key has signed, or with one by which a
/// registered issuer vouches for them.
struct AssertionGrant: AssertionTokenGrant {
    /// `nil` for what is no signed JWT.
    let assertion: UnverifiedJWS?
    let scope: String?
    let app: AppAssertion?

    static let grantType = TokenRequest.assertionGrantType
    static let action = "token.assertion"

    static let maximumBytes = 16_384

    struct Message: Sendable {
        let proof: VerifiedGrantAssertion
        let scope: ScopeSet
    }

    func verify(_ call: TokenRequestContext) async throws -> Result<Message, Refusal> {
        let scope: ScopeSet
        switch call.scope(self.scope) {
        case .success(let asked): scope = asked
        case .failure(let refusal): return .failure(refusal)
        }
        guard let assertion,
            let claims = try? JSONParser.parseObject(
                assertion.payload, maximumBytes: Self.maximumBytes, maximumDepth: 8)
        else { return .failure(.invalidGrant("not a signed JWT")) }
        // An installation speaks of itself. No issuer that can be registered is called like a
        // person's identifier, so the two cannot be taken for one another.
        let proof =
            if let person = claims["iss"]?.string.flatMap({ Identifier<Person>($0) }) {
                try await SignInTokenCheck(call).prove(
                    person, by: assertion, app, for: self.scope.map { _ in scope })
            } else {
                try await FederatedAssertionCheck(call).prove(assertion)
            }
        return proof.map { Message(proof: $0, scope: scope) }
    }

    /// Nonce or token, grant and audit event: one commit.
    func consume(
        _ message: Message, _ call: TokenRequestContext
    ) async throws -> Result<TokenIssuance, Refusal> {
        try await call.give(message.proof, message.scope, Self.action)
    }
}
