// SPDX-License-Identifier: Apache-2.0
import WebAuthn

/// The user verification of a ceremony, decided before the request is sent.
struct CeremonyVerification: Sendable {
    var token: PINUVAuthToken?
    /// Built-in verification inside the command itself: keys without tokens for it.
    var usesOption = false

    var isVerifying: Bool { token != nil || usesOption }

    static let none = CeremonyVerification()

    /// Whether the relying party, the key or an extension requires user verification.
    ///
    /// - Parameter keyNeedsIt: Whether the key refuses the request otherwise.
    static func isNeeded(
        _ requirement: UserVerificationRequirement, _ info: AuthenticatorInfo, keyNeedsIt: Bool
    ) -> Bool {
        switch requirement {
        case .required: true
        case .preferred: info.canVerify || keyNeedsIt
        case .discouraged: keyNeedsIt
        }
    }

    static func obtain(
        _ permissions: PINPermissions, scope: CeremonyScope, _ operation: SecurityKeyOperation,
        with verification: UserVerification
    ) async throws(SecurityKeyError) -> CeremonyVerification {
        let info = try verification.key.requireInfo()
        if info.hasBuiltInVerification, !info.has(option: "pinUvAuthToken") {
            return CeremonyVerification(usesOption: true)
        }
        let token = try await verification.token(
            permissions, rpId: scope.relyingPartyId, operation)
        return CeremonyVerification(token: token)
    }
}
