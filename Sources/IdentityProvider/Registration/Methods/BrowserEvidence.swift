// SPDX-License-Identifier: Apache-2.0
import AppRegistration
import JOSE
import Primitives
import Storage

/// `oidc`: `{"access_token": …}` of somebody who has just signed in in a browser, by the
/// authorization code flow of this project. The installation becomes one of theirs: their first, or
/// one more.
struct BrowserEvidence: RegistrationEvidence {
    let method = RegistrationMethod.oidc
    let needsKey = true

    /// Seconds since the person showed who they are.
    private static let freshness: Int64 = 600

    func reusesPerson(_ policy: RegistrationPolicy) -> Bool { true }

    func verify(
        _ claim: RegistrationClaim, _ context: CeremonyContext
    ) async throws -> Result<VouchedRegistration, Declined> {
        guard let token = claim.request.evidence["access_token"]?.string else {
            return .declined(
                .missingInput, "evidence.access_token is missing.", because: "no token",
                stranger: true)
        }
        let account: RegisteredAccount
        switch try await RegisteredAccount.open(
            token, provenBy: claim.key?.jwk.thumbprintText, in: context)
        {
        case .success(let opened): account = opened
        case .failure(let refusal):
            var declined = Declined(refusal)
            declined.isStranger = true
            return .failure(declined)
        }
        // What an installation's key was given proves a device, not that its owner agrees.
        guard account.current == nil else {
            return .declined(.tokenRefused, because: "a token of an installation")
        }
        guard let time = account.authenticatedAt,
            context.now.seconds - time.seconds <= Self.freshness
        else {
            return .declined(
                .tokenExpired, "Sign in in the browser once more.", because: "signed in long ago")
        }
        return .success(VouchedRegistration(person: account.person))
    }
}
