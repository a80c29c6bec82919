// SPDX-License-Identifier: Apache-2.0
import AppRegistration
import JOSE
import ProviderCore
import Storage

/// `testKey`: a token signed with a test registration key, for tests of app developers. It can
/// create any number of people. They are marked by their origin, so that they can be deleted
/// together.
struct TestKeyEvidence: IssuedTokenEvidence {
    let method = AppRegistrationMethod.testKey
    let needsKey = true
    let kind = IssuerKey.Kind.test

    func vouched(
        by token: VerifiedIssuerToken
    ) -> Result<VerifiedRegistrationEvidence, CeremonyRefusal> {
        let sent = token.claims[IssuedToken.entitlementSetClaim]
        let set = sent == .null ? nil : sent
        guard set == nil || set?.string != nil else {
            return .declined(
                .tokenRefused, "\(IssuedToken.entitlementSetClaim) must be the name of a set.",
                because: "a set that is not a string")
        }
        var details = JSONObject()
        details["test_key"] = .string(token.key.kid)
        return .success(
            VerifiedRegistrationEvidence(
                name: (token.subject, token.key.issuer), entitlementSet: set?.string,
                uses: [token.use], details: details))
    }

    /// Test keys are not accepted in production, unless the project allows it.
    func policy(
        _ vouched: VerifiedRegistrationEvidence, _ context: CeremonyContext
    ) async throws -> CeremonyRefusal? {
        context.tenant.project.believesTestKeys
            ? nil : CeremonyRefusal(.testKeyRefused, because: "a test key in production")
    }
}
