// SPDX-License-Identifier: Apache-2.0
package import Primitives

/// Which status reports keep a model from being registered.
///
/// A report counts from its effective date on and is not lifted by a later one: whether a key
/// carries the firmware that an `UPDATE_AVAILABLE` brings cannot be seen from here.
package struct MetadataStatusPolicy: Sendable, Equatable {
    package var refused: Set<AuthenticatorStatus>
    /// The lowest FIDO certification that is good enough; `nil` asks for none.
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

    /// Why no such authenticator may be registered, or `nil` when it may.
    ///
    /// A compromised attestation key that is named by its certificate concerns the keys that were
    /// made with it, and not the whole model: see ``distrusted(in:at:)``.
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
