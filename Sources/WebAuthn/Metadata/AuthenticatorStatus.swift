// SPDX-License-Identifier: Apache-2.0
package import Primitives

/// `AuthenticatorStatus` (FIDO Metadata Service 3.1.1 section 3.1.4).
package enum AuthenticatorStatus: Sendable, Hashable {
    case notCertified
    case certified(level: Certification)
    case selfAssertionSubmitted
    /// Malware can use the authenticator without its user.
    case userVerificationBypass
    case attestationKeyCompromise
    case userKeyRemoteCompromise
    case userKeyPhysicalCompromise
    case updateAvailable
    case revoked
    case retired
    /// FIPS 140, overall level 1 to 4.
    case fips140(level: Int)
    /// A name that this version does not support.
    case unknown(String)

    /// FIDO authenticator certification levels; the unnumbered scheme predates level 1.
    package enum Certification: String, Sendable, Hashable, CaseIterable, Comparable {
        case unnumbered = ""
        case level1 = "_L1"
        case level1Plus = "_L1plus"
        case level2 = "_L2"
        case level2Plus = "_L2plus"
        case level3 = "_L3"
        case level3Plus = "_L3plus"

        package static func < (left: Certification, right: Certification) -> Bool {
            left.rank < right.rank
        }

        private var rank: Int { Self.allCases.firstIndex(of: self) ?? 0 }
    }

    private static let names: [(String, AuthenticatorStatus)] =
        [
            ("NOT_FIDO_CERTIFIED", .notCertified),
            ("SELF_ASSERTION_SUBMITTED", .selfAssertionSubmitted),
            ("USER_VERIFICATION_BYPASS", .userVerificationBypass),
            ("ATTESTATION_KEY_COMPROMISE", .attestationKeyCompromise),
            ("USER_KEY_REMOTE_COMPROMISE", .userKeyRemoteCompromise),
            ("USER_KEY_PHYSICAL_COMPROMISE", .userKeyPhysicalCompromise),
            ("UPDATE_AVAILABLE", .updateAvailable), ("REVOKED", .revoked), ("RETIRED", .retired),
        ]
        + Certification.allCases.map { ("FIDO_CERTIFIED\($0.rawValue)", .certified(level: $0)) }
        + (1...4).map { ("FIPS140_CERTIFIED_L\($0)", .fips140(level: $0)) }

    package init(name: String) {
        self = Self.names.first { $0.0.utf8.elementsEqual(name.utf8) }?.1 ?? .unknown(name)
    }

    /// The name in metadata.
    package var name: String {
        if case .unknown(let name) = self { return name }
        return Self.names.first { $0.1 == self }?.0 ?? ""
    }
}

/// `StatusReport` (section 3.1.3), as far as it is acted on or shown.
package struct StatusReport: Sendable, Equatable {
    package var status: AuthenticatorStatus
    /// The start of the day (UTC) from which the report is in force; `nil` for always.
    package var effectiveFrom: Timestamp?
    /// The firmware that it speaks of: the update, or the oldest certified one.
    package var authenticatorVersion: UInt32?
    /// DER of the attestation certificate that is compromised.
    package var certificate: [UInt8]?
    package var certificationDescriptor: String?
    package var certificateNumber: String?

    package func isInForce(at now: Timestamp) -> Bool { effectiveFrom.map { $0 <= now } ?? true }
}
