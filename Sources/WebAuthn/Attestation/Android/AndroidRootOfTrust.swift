// SPDX-License-Identifier: Apache-2.0
import SwiftASN1

/// `RootOfTrust` of Android's key description: the boot state of the device.
package struct AndroidRootOfTrust: Sendable {
    /// `VerifiedBootState`.
    package enum BootState: UInt8, Sendable, CaseIterable {
        /// Verified by the manufacturer's key, down to the system.
        case verified = 0
        /// Verified by a key that the owner installed.
        case selfSigned = 1
        /// The boot image was not verified.
        case unverified = 2
        /// Verification failed.
        case failed = 3
    }

    package let isDeviceLocked: Bool
    /// `nil` for an unknown state.
    package let bootState: BootState?

    init(_ node: ASN1Node) throws {
        self = try DER.sequence(node, identifier: .sequence) { nodes in try Self(&nodes) }
    }

    private init(_ nodes: inout ASN1NodeCollection.Iterator) throws {
        _ = try ASN1OctetString(derEncoded: &nodes)  // verifiedBootKey
        isDeviceLocked = try Self.boolean(&nodes)
        guard let state = nodes.next(), state.identifier == .enumerated,
            case .primitive(let bytes) = state.content
        else { throw AndroidKeyDescriptionError.malformed }
        bootState = bytes.count == 1 ? bytes.first.flatMap { BootState(rawValue: $0) } : nil
        // verifiedBootHash, from version 3 on.
        if let hash = nodes.next() { _ = try ASN1OctetString(derEncoded: hash) }
    }

    /// Reads a BOOLEAN whose TRUE may be any octet except zero: BER (X.690 section 8.2.2), as many
    /// key stores write it.
    private static func boolean(_ nodes: inout ASN1NodeCollection.Iterator) throws -> Bool {
        guard let node = nodes.next(), node.identifier == .boolean,
            case .primitive(let octets) = node.content, octets.count == 1
        else { throw AndroidKeyDescriptionError.malformed }
        return octets.first != 0
    }
}

/// `AttestationApplicationId` of Android's key description: the apps that own the key. The
/// operating system asserts it, not the hardware.
package struct AndroidApplicationID: Sendable {
    package struct Package: Sendable, Hashable {
        package let name: String
        package let version: Int64
    }

    /// More than one when several applications share a user ID.
    package let packages: [Package]
    /// SHA-256 of each certificate that the applications are signed with.
    package let signatureDigests: [[UInt8]]

    init(_ node: ASN1Node) throws {
        self = try DER.sequence(node, identifier: .sequence) { nodes in try Self(&nodes) }
    }

    private init(_ nodes: inout ASN1NodeCollection.Iterator) throws {
        packages = try Self.elements(&nodes) { node in
            try DER.sequence(node, identifier: .sequence) { fields in
                let name = try ASN1OctetString(derEncoded: &fields).bytes
                guard let name = String(validating: name, as: UTF8.self) else {
                    throw AndroidKeyDescriptionError.malformed
                }
                return Package(name: name, version: try Int64(derEncoded: &fields))
            }
        }
        signatureDigests = try Self.elements(&nodes) {
            Array(try ASN1OctetString(derEncoded: $0).bytes)
        }
    }

    /// The elements of a SET, which old versions wrote out of order.
    private static func elements<Element>(
        _ nodes: inout ASN1NodeCollection.Iterator, _ read: (ASN1Node) throws -> Element
    ) throws -> [Element] {
        guard let set = nodes.next(), set.identifier == .set,
            case .constructed(let elements) = set.content
        else { throw AndroidKeyDescriptionError.malformed }
        return try elements.map(read)
    }
}
