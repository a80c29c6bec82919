// SPDX-License-Identifier: Apache-2.0

/// An approval that is being answered. Its steps are ``ApprovalStep``. Nothing is answered before
/// its end; cancelling it leaves the request waiting.
public typealias ApprovalFlow = CeremonyFlow<ApprovalStep, ApprovalOutcome>

/// A step of an approval that the app must handle.
public enum ApprovalStep: Sendable {
    /// Show what is asked, and have the person say yes or no.
    case confirm(ApprovalChallenge)
    /// The person said yes, and shows that it is them: their PIN.
    case enterPIN(PINChallenge)
    /// Biometrics, after an approval.
    case authenticator(AuthenticatorChallenge)

    init(_ step: AuthenticationStep) {
        switch step {
        case .enterPIN(let challenge): self = .enterPIN(challenge)
        case .authenticator(let challenge): self = .authenticator(challenge)
        }
    }
}
