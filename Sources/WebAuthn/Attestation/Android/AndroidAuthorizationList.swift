// SPDX-License-Identifier: Apache-2.0
import SwiftASN1

/// `AuthorizationList` of Android's key description: the permitted uses of a key, and its origin.
package struct AndroidAuthorizationList: Sendable {
    /// `purpose`, [1].
    package private(set) var purposes: Set<Int64> = []
    /// `allApplications`, [600]: the key is bound to no application.
    package private(set) var isForAllApplications = false
    /// `origin`, [702].
    package private(set) var origin: Int64?
    /// All other authorizations by tag, decoded on access.
    private var others: [UInt: ASN1Node] = [:]

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
            others[node.identifier.tagNumber] = node
        }
    }

    /// Returns the one element of that type with an explicit tag.
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

    /// Returns the element of that type with that tag; `nil` if the list does not contain it.
    private func value<Value>(
        _ tag: UInt, _ identifier: ASN1Identifier, _ read: (ASN1Node) throws -> Value
    ) throws(AndroidKeyDescriptionError) -> Value? {
        guard let node = others[tag] else { return nil }
        do { return try read(try Self.content(node, identifier)) } catch { throw .malformed }
    }
}

extension AndroidAuthorizationList {
    /// The numeric authorizations of a list, by KeyMint tag.
    package enum Number: UInt, Sendable, CaseIterable {
        /// `userAuthType`: 1 password, 2 biometrics, 3 either.
        case userAuthenticationType = 504
        /// `authTimeout`, in seconds.
        case authenticationTimeout = 505
        case osVersion = 705
        /// Year and month, 202511.
        case osPatchLevel = 706
        /// Year, month and day, 20251105.
        case vendorPatchLevel = 718
        /// Year, month and day, 20251105.
        case bootPatchLevel = 719
    }

    package func number(_ number: Number) throws(AndroidKeyDescriptionError) -> Int64? {
        try value(number.rawValue, .integer) { try Int64(derEncoded: $0) }
    }

    /// `noAuthRequired`, [503]: the key can be used without its person.
    package func isUsableWithoutAuthentication() throws(AndroidKeyDescriptionError) -> Bool {
        try value(503, .null) { try ASN1Null(derEncoded: $0) } != nil
    }

    /// `rootOfTrust`, [704].
    package func rootOfTrust() throws(AndroidKeyDescriptionError) -> AndroidRootOfTrust? {
        try value(704, .sequence) { try AndroidRootOfTrust($0) }
    }

    /// `attestationApplicationId`, [709]: DER inside an OCTET STRING.
    package func applicationID() throws(AndroidKeyDescriptionError) -> AndroidApplicationID? {
        try value(709, .octetString) {
            try AndroidApplicationID(
                DER.parse(try ASN1OctetString(derEncoded: $0).bytes))
        }
    }
}
