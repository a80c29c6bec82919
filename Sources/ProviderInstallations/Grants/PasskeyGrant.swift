// SPDX-License-Identifier: Apache-2.0
import JOSE
import OAuth
import Primitives
package import ProviderCore
import ProviderPeople
package import ProviderTokens
import Storage

/// `grant_type=urn:gatehouse:grant-type:passkey`, an extension of RFC 6749 section 4.5: an app
/// signs a person in with a passkey, without a browser. `passkey` is `{"ceremony", "credential"}`.
/// The second is an `AuthenticationResponseJSON` (WebAuthn Level 3 section 5.1) for options that
/// the app requested before.
///
/// The authenticator signs an origin of the provider, so a page of another site cannot obtain such
/// a response.
package struct PasskeyGrant: TokenGrant {
    package let response: String
    package let scope: String?

    package init(response: String, scope: String?) {
        self.response = response
        self.scope = scope
    }

    package static let grantType = TokenRequest.passkeyGrantType
    package static let action = "token.passkey"
    package static let isMatchedByMessage = false

    private static let maximumBytes = 32_768

    package struct Message: Sendable {
        let steps: PasskeySignIn
        let scope: ScopeSet
    }

    package func verify(_ call: TokenRequestContext) async throws -> Result<Message, Refusal> {
        call.scope(scope).flatMap { scope in
            guard
                let object = try? JSONParser.parseObject(
                    Array(response.utf8), maximumBytes: Self.maximumBytes, maximumDepth: 16),
                let ceremony = object["ceremony"]?.string, let credential = object["credential"]
            else { return .failure(.invalidGrant("no ceremony and credential")) }
            return .success(
                Message(
                    steps: PasskeySignIn(ceremony: ceremony, response: credential), scope: scope))
        }
    }

    /// Consumes the challenge, then updates the counter of the key. The grant is saved in the next
    /// transaction, which requires that the person is active.
    package func consume(
        _ message: Message, _ call: TokenRequestContext
    ) async throws -> Result<TokenIssuance, Refusal> {
        let outcome = try await message.steps.verify(call.context)
            .continued { try await message.steps.prove($0, call.context) }
        let proven: VerifiedPerson
        switch outcome {
        case .success(let person): proven = person
        case .failure(let declined): return .failure(Self.refusal(declined))
        }
        guard proven.person.project == call.tenant.project.id, !proven.person.disabled else {
            return .failure(.invalidGrant("the person is disabled").matched)
        }
        if let refusal = try await call.useProof() { return .failure(refusal.matched) }
        let proof = VerifiedGrantAssertion(
            person: proven.person.id, methods: proven.factor.methods, uses: [],
            credential: proven.factor.credential,
            contextClass: ContextClass(rawValue: proven.factor.contextClass) ?? .password)
        return try await call.issueGrant(proof, message.scope, Self.action).mapError(\.matched)
    }

    /// The refusal with the code of the sign-in as `code`. An app can report an unknown passkey to
    /// its system.
    private static func refusal(_ declined: CeremonyRefusal) -> Refusal {
        var refusal = Refusal(
            ErrorCode.invalidGrant, declined.refusal.message,
            reason: "\(declined.refusal.code): \(declined.refusal.reason)")
        refusal.isMatched = !declined.isStranger
        refusal.members = [.init(name: "code", value: .string(declined.refusal.code))]
        return refusal
    }
}
