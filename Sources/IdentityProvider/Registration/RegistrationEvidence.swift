// SPDX-License-Identifier: Apache-2.0
package import AppRegistration
import JOSE
import Primitives
import Storage

/// One registration method of app installations: what its evidence is worth. A method is one file
/// in `Methods` and one line in ``RegistrationMethods``.
protocol RegistrationEvidence: Sendable {
    var method: RegistrationMethod { get }
    /// Whether an installation must bring the key that it will sign in with.
    var needsKey: Bool { get }
    /// Says whom the evidence vouches for. Consumes nothing: what may be used once is named in the
    /// answer, and used up when all is bound.
    func verify(
        _ claim: RegistrationClaim, _ context: CeremonyContext
    ) async throws -> Result<VouchedRegistration, Declined>
    /// Whether the project allows it; `nil` when it does.
    func policy(
        _ vouched: VouchedRegistration, _ context: CeremonyContext
    ) async throws
        -> Declined?
}

extension RegistrationEvidence {
    func policy(
        _ vouched: VouchedRegistration, _ context: CeremonyContext
    ) async throws -> Declined? { nil }
}

/// A request whose form, nonce and key are in order. What it claims is not proven.
package struct RegistrationClaim: Sendable {
    package let request: RegistrationRequest
    package let nonce: ServerNonce.Genuine
    /// The key, which has signed ``binding``; `nil` when none was brought.
    package let key: InstallationKey?
    /// What evidence that attests a key must carry as its challenge.
    package let binding: KeyBinding?
}

/// What verified evidence says. Only methods make it.
struct VouchedRegistration: Sendable {
    /// Who the issuer says it is; `nil` for evidence about apps and devices alone.
    var identity: FederatedIdentity?
    /// User name and realm; `nil` lets the person's own identifier be the name.
    var name: (username: String, realm: String)?
    /// Kept with the person.
    var attributes = JSONObject()
    /// The entitlement set that the person gets; `nil` for none.
    var entitlementSet: String?
    /// Used up when all is bound.
    var uses: [SingleUse] = []
    /// What it says of app and device; kept with the installation.
    var details = JSONObject()
    /// Whether hardware is proven to hold the key.
    var keyIsInHardware = false
}

/// Every method that there is.
enum RegistrationMethods {
    static let all: [any RegistrationEvidence] = [SignedJWTEvidence(), TestKeyEvidence()]

    static func evidence(_ method: RegistrationMethod) -> (any RegistrationEvidence)? {
        all.first { $0.method == method }
    }
}
