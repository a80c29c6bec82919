// SPDX-License-Identifier: Apache-2.0
import SwiftASN1

/// `KeyDescription`, the extension 1.3.6.1.4.1.11129.2.1.17 of Android's key attestation
/// certificates (Android Open Source Project, "Key and ID attestation").
package struct AndroidKeyDescription: Sendable {
    static let identifier: ASN1ObjectIdentifier = [1, 3, 6, 1, 4, 1, 11129, 2, 1, 17]
    /// The same in dots.
    package static let extensionIdentifier = "1.3.6.1.4.1.11129.2.1.17"

    package let attestationVersion: Int64
    /// The level that made the attestation; `nil` for an unknown level.
    package let attestationSecurityLevel: AndroidSecurityLevel?
    package let keyMintVersion: Int64
    /// The level that stores the key; `nil` for an unknown level.
    package let keyMintSecurityLevel: AndroidSecurityLevel?
    package let attestationChallenge: [UInt8]
    package let softwareEnforced: AndroidAuthorizationList
    /// The authorizations that trusted hardware enforces.
    package let hardwareEnforced: AndroidAuthorizationList

    /// Reads DER with nothing after it. What newer versions add to the lists is skipped.
    package init(der: ArraySlice<UInt8>) throws(AndroidKeyDescriptionError) {
        do {
            self = try DER.sequence(try DER.parse(der), identifier: .sequence) { nodes in
                try Self(&nodes)
            }
        } catch { throw .malformed }
    }

    private init(_ nodes: inout ASN1NodeCollection.Iterator) throws {
        attestationVersion = try Int64(derEncoded: &nodes)
        attestationSecurityLevel = try Self.level(&nodes)
        keyMintVersion = try Int64(derEncoded: &nodes)
        keyMintSecurityLevel = try Self.level(&nodes)
        attestationChallenge = Array(try ASN1OctetString(derEncoded: &nodes).bytes)
        _ = try ASN1OctetString(derEncoded: &nodes)  // uniqueId
        softwareEnforced = try AndroidAuthorizationList(&nodes)
        hardwareEnforced = try AndroidAuthorizationList(&nodes)
    }

    /// An ENUMERATED, which Level 3's own vector writes as an INTEGER.
    private static func level(
        _ nodes: inout ASN1NodeCollection.Iterator
    ) throws -> AndroidSecurityLevel? {
        guard let level = nodes.next(), [.enumerated, .integer].contains(level.identifier),
            case .primitive(let bytes) = level.content
        else { throw AndroidKeyDescriptionError.malformed }
        return bytes.count == 1 ? bytes.first.flatMap { AndroidSecurityLevel(rawValue: $0) } : nil
    }
}

/// `SecurityLevel`: the implementation that attests, from the weakest.
package enum AndroidSecurityLevel: UInt8, Sendable, Comparable, CaseIterable {
    case software = 0
    case trustedEnvironment = 1
    case strongBox = 2

    package static func < (left: Self, right: Self) -> Bool { left.rawValue < right.rawValue }
}

/// The extension is not what Android writes.
package enum AndroidKeyDescriptionError: Error, Sendable, Equatable {
    case malformed
}
