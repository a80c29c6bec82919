// SPDX-License-Identifier: Apache-2.0
package import AppRegistration
import JOSE
import Primitives
import Storage

/// One registration method of app installations: what its evidence is worth. A method is one file
/// in `Methods` and one line in ``RegistrationMethods``.
protocol RegistrationEvidenceVerifier: Sendable {
    var method: AppRegistrationMethod { get }
    /// Whether an installation must bring the key that it will sign in with.
    var needsKey: Bool { get }
    /// Whether somebody who is registered already gets one more installation, rather than a
    /// refusal.
    func reusesPerson(_ policy: RegistrationPolicy) -> Bool
    /// Whether somebody is asked who may answer otherwise the next time: then nobody is asked for an
    /// answer that was lost.
    var asksOthers: Bool { get }
    /// Says whom the evidence vouches for. Consumes nothing: what may be used once is named in the
    /// answer, and used up when all is bound.
    func verify(
        _ claim: RegistrationClaim, _ context: CeremonyContext
    ) async throws -> Result<VerifiedRegistrationEvidence, CeremonyRefusal>
    /// Whether the project allows it; `nil` when it does.
    func policy(
        _ vouched: VerifiedRegistrationEvidence, _ context: CeremonyContext
    ) async throws
        -> CeremonyRefusal?
    /// Told when it is bound, and with every repetition.
    func bound(_ vouched: VerifiedRegistrationEvidence, _ context: CeremonyContext) async
}

extension RegistrationEvidenceVerifier {
    func reusesPerson(_ policy: RegistrationPolicy) -> Bool { false }
    var asksOthers: Bool { false }

    func bound(_ vouched: VerifiedRegistrationEvidence, _ context: CeremonyContext) async {}

    func policy(
        _ vouched: VerifiedRegistrationEvidence, _ context: CeremonyContext
    ) async throws -> CeremonyRefusal? { nil }
}

/// A request whose form, nonce and key are in order. What it claims is not proven.
package struct RegistrationClaim: Sendable {
    package let request: AppRegistrationRequest
    package let nonce: StatelessNonce.Genuine
    /// The key, which has signed ``binding``; `nil` when none was brought.
    package let key: InstallationKey?
    /// What evidence that attests a key must carry as its challenge.
    package let binding: KeyBinding?
    /// `nil` when the installation registers without a PIN.
    let pin: PINOffer?

    /// What evidence that attests a key must carry as its challenge; `nil` without a key.
    var challenge: [UInt8]? { pin?.challenge ?? binding?.bytes }
}

/// What verified evidence says. Only methods make it.
struct VerifiedRegistrationEvidence: Sendable {
    /// Who the issuer says it is; `nil` for evidence about apps and devices alone.
    var identity: FederatedIdentity?
    /// Somebody of ours, who has shown so themselves.
    var person: Person?
    /// User name and realm; `nil` lets the person's own identifier be the name.
    var name: (username: String, realm: String)?
    /// Kept with the person.
    var attributes = JSONObject()
    /// The entitlement set that the person gets; `nil` for none.
    var entitlementSet: String?
    /// Used up when all is bound.
    var uses: [OneTimeUse] = []
    /// What it says of app and device; kept with the installation.
    var details = JSONObject()
    /// Whether hardware is proven to hold the key.
    var keyIsInHardware = false
    /// What App Attest has attested besides.
    var attestedKey: AttestedAppKey?
    /// What Apple knows the device by, and the bit of it that is not ours.
    var deviceToken: [UInt8]?
    var secondDeviceBit = false
    /// Goes to the app beside the answer.
    var told: [JSONObject.Member] = []
}

/// Every method that there is.
enum RegistrationMethods {
    static let all: [any RegistrationEvidenceVerifier] = [
        SignedJWTEvidence(), TestKeyEvidence(), AppAttestEvidence(), DeviceCheckEvidence(),
        KeyAttestationEvidence(), PlayIntegrityEvidence(), CustomOneStepEvidence(),
        CustomTwoStepEvidence(), BrowserEvidence(),
    ]

    static func evidence(_ method: AppRegistrationMethod) -> (any RegistrationEvidenceVerifier)? {
        all.first { $0.method == method }
    }
}
