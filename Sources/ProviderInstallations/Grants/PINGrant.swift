// SPDX-License-Identifier: Apache-2.0
import AppRegistration
package import OAuth
package import PIN
import Primitives
package import ProviderCore
package import ProviderTokens
import Storage

/// `grant_type=urn:ietf:params:oauth:grant-type:jwt-bearer` with a sign-in of the PIN protocol as
/// assertion: the key of the installation has signed it, and the person has entered their PIN.
package struct PINGrant: TokenGrant {
    package let request: UnverifiedPINRequest
    package let scope: String?
    package let app: AppAssertion?

    package init(request: UnverifiedPINRequest, scope: String?, app: AppAssertion?) {
        self.request = request
        self.scope = scope
        self.app = app
    }

    package static let grantType = TokenRequest.assertionGrantType
    package static let action = "token.pin"
    package static let isMatchedByMessage = false

    package func verify(_ call: TokenRequestContext) async throws -> Result<ScopeSet, Refusal> {
        guard request.kind == .signIn else {
            return .failure(.invalidGrant("a PIN request that is not a sign-in"))
        }
        return call.scope(scope)
    }

    /// Verifies the PIN and records the result in one transaction. The grant is saved in the next
    /// one, which requires that the installation still exists.
    package func consume(
        _ scope: ScopeSet, _ call: TokenRequestContext
    ) async throws -> Result<TokenIssuance, Refusal> {
        let pins = ProjectPINStore(
            call.provider, tenant: call.tenant, facts: call.facts, draft: call.draft(Self.action))
        let reply = try await pins.endpoint(for: request).answer(request, now: call.facts.now)
        if let refusal = reply.refusal {
            var refused = Refusal(
                ErrorCode.invalidGrant, refusal.message, reason: refusal.reason)
            refused.members = refusal.members
            refused.isRecorded = pins.hasRecorded
            // A sender without a known key that has signed is unauthenticated.
            refused.isMatched = pins.read != nil && reply.outcome != .refused(.notSigned)
            return .failure(refused)
        }
        return try await complete(pins, scope, call).mapError(\.matched)
    }

    private func complete(
        _ pins: ProjectPINStore, _ scope: ScopeSet, _ call: TokenRequestContext
    ) async throws -> Result<TokenIssuance, Refusal> {
        guard let pin = pins.read, let installation = pin.installation,
            let key = try await call.provider.store.credentials.credential(
                externalID: pin.keyID, kind: .signInKey, in: call.tenant.project.id),
            let details = SignInKeyDetails(key.details), details.installation == installation
        else { return .failure(.invalidGrant("a PIN without its installation's key")) }
        if let refusal = try await AppAssertionCheck(call).refusal(app, of: key, details) {
            return .failure(refusal)
        }
        if let refusal = try await call.useProof() { return .failure(refusal) }
        let proof = VerifiedGrantAssertion(
            person: pin.person, methods: [details.isInHardware ? "hwk" : "swk", "pin", "mfa"],
            uses: [],
            credential: key.id, installation: installation,
            // The key signs only for this issuer, and the PIN requires its owner: two factors that
            // cannot be phished.
            contextClass: details.isInHardware ? .phishingResistantHardware : .phishingResistant)
        return try await call.issueGrant(proof, scope, Self.action)
    }
}
