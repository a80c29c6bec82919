// SPDX-License-Identifier: Apache-2.0
package import JOSE
import OAuth
import Primitives
package import ProviderCore
package import ProviderTokens
import Storage

/// `grant_type=urn:ietf:params:oauth:grant-type:jwt-bearer`, RFC 7523 section 2.1. An app signs its
/// person in with a token that the key of the installation signed, or with a token of a registered
/// issuer.
package struct AssertionGrant: TokenGrant {
    /// `nil` if the text is not a signed JWT.
    package let assertion: UnverifiedJWS?
    package let scope: String?
    package let app: AppAssertion?

    package init(assertion: UnverifiedJWS?, scope: String?, app: AppAssertion?) {
        self.assertion = assertion
        self.scope = scope
        self.app = app
    }

    package static let grantType = TokenRequest.assertionGrantType
    package static let action = "token.assertion"

    package static let maximumBytes = 16_384

    package struct Message: Sendable {
        let proof: VerifiedGrantAssertion
        let scope: ScopeSet
    }

    package func verify(_ call: TokenRequestContext) async throws -> Result<Message, Refusal> {
        let scope: ScopeSet
        switch call.scope(self.scope) {
        case .success(let asked): scope = asked
        case .failure(let refusal): return .failure(refusal)
        }
        guard let assertion,
            let claims = try? JSONParser.parseObject(
                assertion.payload, maximumBytes: Self.maximumBytes, maximumDepth: 8)
        else { return .failure(.invalidGrant("not a signed JWT")) }
        // The issuer of an installation's token is the person. An issuer that can be registered
        // never looks like the identifier of a person, so the two cannot be confused.
        let proof =
            if let person = claims["iss"]?.string.flatMap({ Identifier<Person>($0) }) {
                try await SignInTokenCheck(call).prove(
                    person, by: assertion, app, for: self.scope.map { _ in scope })
            } else {
                try await FederatedAssertionCheck(call).prove(assertion)
            }
        return proof.map { Message(proof: $0, scope: scope) }
    }

    /// Consumes the nonce or token and saves the grant and the audit event in one transaction.
    package func consume(
        _ message: Message, _ call: TokenRequestContext
    ) async throws -> Result<TokenIssuance, Refusal> {
        try await call.issueGrant(message.proof, message.scope, Self.action)
    }
}
