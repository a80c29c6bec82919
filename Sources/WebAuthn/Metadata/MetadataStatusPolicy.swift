// SPDX-License-Identifier: Apache-2.0
package import Primitives

/// The policy that decides by status reports whether a model may be registered.
///
/// A report is in force from its effective date on, and a later one does not lift it: whether a key
/// has the firmware of an `UPDATE_AVAILABLE` is not visible to the relying party.
package struct MetadataStatusPolicy: Sendable, Equatable {
    package var refused: Set<AuthenticatorStatus>
    /// The lowest accepted FIDO certification; `nil` requires none.
    package var minimumCertification: AuthenticatorStatus.Certification?

    package init(
        refused: Set<AuthenticatorStatus> = Self.compromised,
        minimumCertification: AuthenticatorStatus.Certification? = nil
    ) {
        self.refused = refused
        self.minimumCertification = minimumCertification
    }

    /// The security notifications of section 3.1.4 and withdrawn models.
    package static let compromised: Set<AuthenticatorStatus> = [
        .userVerificationBypass, .attestationKeyCompromise, .userKeyRemoteCompromise,
        .userKeyPhysicalCompromise, .revoked, .retired,
    ]

    /// Returns why such an authenticator must not be registered, or `nil` if it may.
    ///
    /// A compromised attestation key that is identified by its certificate affects only the
    /// authenticators with that key, not the whole model: see ``distrusted(in:at:)``.
    package func refusal(for reports: [StatusReport], at now: Timestamp) -> String? {
        let inForce = reports.filter { $0.isInForce(at: now) }
        for report in inForce where refused.contains(report.status) {
            if report.status == .attestationKeyCompromise, report.certificate != nil { continue }
            return report.status.name
        }
        guard let minimumCertification else { return nil }
        let reached = inForce.contains {
            if case .certified(let level) = $0.status {
                level >= minimumCertification
            } else {
                false
            }
        }
        return reached ? nil : "below FIDO_CERTIFIED\(minimumCertification.rawValue)"
    }

    /// The attestation certificates that are compromised, DER.
    package func distrusted(in reports: [StatusReport], at now: Timestamp) -> [[UInt8]] {
        guard refused.contains(.attestationKeyCompromise) else { return [] }
        return reports.filter {
            $0.status == .attestationKeyCompromise && $0.isInForce(at: now)
        }.compactMap(\.certificate)
    }
}
