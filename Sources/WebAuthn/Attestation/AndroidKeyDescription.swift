// SPDX-License-Identifier: Apache-2.0
import SwiftASN1

/// `KeyDescription`, the extension 1.3.6.1.4.1.11129.2.1.17 of Android's key attestation
/// certificates, as far as WebAuthn section 8.4 asks for it.
package struct AndroidKeyDescription: Sendable {
    static let identifier: ASN1ObjectIdentifier = [1, 3, 6, 1, 4, 1, 11129, 2, 1, 17]

    package let attestationChallenge: [UInt8]
    package let softwareEnforced: AndroidAuthorizationList
    /// What trusted hardware enforces.
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
        _ = try Int64(derEncoded: &nodes)  // attestationVersion
        try Self.skipLevel(&nodes)  // attestationSecurityLevel
        _ = try Int64(derEncoded: &nodes)  // keyMintVersion
        try Self.skipLevel(&nodes)  // keyMintSecurityLevel
        attestationChallenge = Array(try ASN1OctetString(derEncoded: &nodes).bytes)
        _ = try ASN1OctetString(derEncoded: &nodes)  // uniqueId
        softwareEnforced = try AndroidAuthorizationList(&nodes)
        hardwareEnforced = try AndroidAuthorizationList(&nodes)
    }

    /// An ENUMERATED, which Level 3's own vector writes as an INTEGER.
    private static func skipLevel(_ nodes: inout ASN1NodeCollection.Iterator) throws {
        guard let level = nodes.next(), [.enumerated, .integer].contains(level.identifier) else {
            throw AndroidKeyDescriptionError.malformed
        }
    }
}

/// `AuthorizationList`: what a key may be used for, and where it is from.
package struct AndroidAuthorizationList: Sendable {
    /// `purpose`, [1].
    package private(set) var purposes: Set<Int64> = []
    /// `allApplications`, [600]: the key is bound to no application.
    package private(set) var isForAllApplications = false
    /// `origin`, [702].
    package private(set) var origin: Int64?

    init(_ nodes: inout ASN1NodeCollection.Iterator) throws {
        guard let list = nodes.next(), list.identifier == .sequence,
            case .constructed(let authorizations) = list.content
        else { throw AndroidKeyDescriptionError.malformed }
        var seen: Set<UInt> = []
        for node in authorizations {
            guard node.identifier.tagClass == .contextSpecific,
                seen.insert(node.identifier.tagNumber).inserted
            else { throw AndroidKeyDescriptionError.malformed }
            try read(node)
        }
    }

    private mutating func read(_ node: ASN1Node) throws {
        switch node.identifier.tagNumber {
        case 1:
            guard case .constructed(let numbers) = try Self.content(node, .set).content else {
                throw AndroidKeyDescriptionError.malformed
            }
            purposes = Set(try numbers.map { try Int64(derEncoded: $0) })
        case 600:
            _ = try ASN1Null(derEncoded: try Self.content(node, .null))
            isForAllApplications = true
        case 702:
            origin = try Int64(derEncoded: try Self.content(node, .integer))
        default:
            return
        }
    }

    /// The one element of that type behind an explicit tag.
    private static func content(
        _ node: ASN1Node, _ identifier: ASN1Identifier
    ) throws -> ASN1Node {
        guard case .constructed(let nodes) = node.content else {
            throw AndroidKeyDescriptionError.malformed
        }
        var iterator = nodes.makeIterator()
        guard let inner = iterator.next(), inner.identifier == identifier, iterator.next() == nil
        else { throw AndroidKeyDescriptionError.malformed }
        return inner
    }
}

/// The extension is not what Android writes.
package enum AndroidKeyDescriptionError: Error, Sendable, Equatable {
    case malformed
}
