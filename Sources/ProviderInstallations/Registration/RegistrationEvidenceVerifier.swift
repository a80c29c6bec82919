// SPDX-License-Identifier: Apache-2.0
package import AppRegistration
import JOSE
import Primitives
package import ProviderCore
import Storage

/// A registration method of app installations, which verifies one kind of evidence. A method is one
/// file in `Methods` and one line in ``RegistrationMethods``.
protocol RegistrationEvidenceVerifier: Sendable {
    var method: AppRegistrationMethod { get }
    /// Whether the request must contain the sign-in key of the installation.
    var needsKey: Bool { get }
    /// Whether an existing person can register a further installation. If not, the registration is
    /// refused.
    func reusesPerson(_ policy: RegistrationPolicy) -> Bool
    /// Whether the verification sends a request to another service, whose response may differ the
    /// next time. Then a repeated registration does not repeat it.
    var asksOthers: Bool { get }
    /// Verifies the evidence. It consumes nothing: the result contains the one-time identifiers,
    /// which the binding consumes.
    func verify(
        _ claim: RegistrationClaim, _ context: CeremonyContext
    ) async throws -> Result<VerifiedRegistrationEvidence, CeremonyRefusal>
    /// Returns a refusal if the project does not allow the evidence, or `nil`.
    func policy(
        _ vouched: VerifiedRegistrationEvidence, _ context: CeremonyContext
    ) async throws
        -> CeremonyRefusal?
    /// Called after the binding, and after every repetition.
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

/// A request with a valid form, nonce and key. Its evidence is not verified.
package struct RegistrationClaim: Sendable {
    package let request: AppRegistrationRequest
    package let nonce: StatelessNonce.Genuine
    /// The key, which has signed ``binding``; `nil` if the request has none.
    package let key: InstallationKey?
    /// The key binding, from which the challenge for attestations is derived.
    package let binding: KeyBinding?
    /// `nil` if the installation has no PIN.
    let pin: PINOffer?

    /// The challenge that an attestation of the key must contain; `nil` without a key.
    var challenge: [UInt8]? { pin?.challenge ?? binding?.bytes }
}

/// The verified evidence. Only methods create it.
struct VerifiedRegistrationEvidence: Sendable {
    /// The identity at the issuer; `nil` for evidence about apps and devices alone.
    var identity: FederatedIdentity?
    /// The signed-in person of this project, or `nil`.
    var person: Person?
    /// Username and realm; `nil` uses the identifier of the person as the name.
    var name: (username: String, realm: String)?
    /// Stored with the person.
    var attributes = JSONObject()
    /// The entitlement set for the person; `nil` for none.
    var entitlementSet: String?
    /// The one-time identifiers that the binding consumes.
    var uses: [OneTimeUse] = []
    /// The grant of the access token that is the evidence, which the binding revokes.
    var consumedGrant: Identifier<Grant>?
    /// Details about app and device, stored with the installation.
    var details = JSONObject()
    /// Whether the key is attested as a hardware key.
    var keyIsInHardware = false
    /// The key that App Attest has attested.
    var attestedKey: AttestedAppKey?
    /// The DeviceCheck token, and the value of the bit that the provider does not use.
    var deviceToken: [UInt8]?
    var secondDeviceBit = false
    /// Additional members of the response to the app.
    var responseMembers: [JSONObject.Member] = []
}

/// The registration methods.
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
