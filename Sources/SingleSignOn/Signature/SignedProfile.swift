// SPDX-License-Identifier: Apache-2.0

/// A profile inside a signed message: CMS `SignedData`, RFC 5652 section 5.
///
/// The content is taken out; the signature is **not** verified here, and nothing that is shown of
/// the signer is proven. Whether to trust a signer is the system's question, when it installs.
package struct SignedProfile: Sendable, Equatable {
    /// The signed content.
    package let content: [UInt8]
    /// The number of signatures.
    package let signers: Int
    /// The common names of the certificates in the message.
    package let certificateNames: [String]

    private static let signedData: [UInt8] = [42, 134, 72, 134, 247, 13, 1, 7, 2]
    private static let sequence: UInt8 = 0x30
    private static let objectIdentifier: UInt8 = 0x06

    /// Whether the bytes have the form of such a message: a sequence that begins with its type.
    package static func isLikely(_ bytes: [UInt8]) -> Bool {
        bytes.first == sequence && bytes.prefix(32).contains(objectIdentifier)
            && bytes.count > 16
    }

    package init(_ bytes: [UInt8]) throws(SignedProfileError) {
        var index = 0
        let outer = try BERElement.next(in: bytes, at: &index, end: bytes.count, depth: 0)
        guard outer.tag == Self.sequence, index == bytes.count else { throw .malformed }
        let parts = try BERElement.all(in: outer.content, of: bytes)
        guard parts.count == 2, parts[0].tag == Self.objectIdentifier, parts[1].tag == 0xA0 else {
            throw .malformed
        }
        guard bytes[parts[0].content].elementsEqual(Self.signedData) else { throw .notSigned }
        guard let message = try BERElement.all(in: parts[1].content, of: bytes).first,
            message.tag == Self.sequence
        else { throw .malformed }
        let members = try BERElement.all(in: message.content, of: bytes)
        // version, digestAlgorithms, encapContentInfo, certificates?, crls?, signerInfos
        guard members.count >= 4, let infos = members.last, infos.tag == 0x31 else {
            throw .malformed
        }
        content = try Self.content(of: members[2], in: bytes)
        signers = try BERElement.all(in: infos.content, of: bytes).count
        guard signers > 0 else { throw .noSigner }
        let certificates = members.first { $0.tag == 0xA0 }
        let chain = try certificates.map { (set) throws(SignedProfileError) -> [BERElement] in
            try BERElement.all(in: set.content, of: bytes)
        }
        certificateNames = (chain ?? []).compactMap { CertificateName.common(of: $0, in: bytes) }
    }

    /// Reads `EncapsulatedContentInfo`: a type, and the octets, possibly segmented.
    private static func content(
        of info: BERElement, in bytes: [UInt8]
    ) throws(SignedProfileError) -> [UInt8] {
        guard info.tag == sequence else { throw .malformed }
        let parts = try BERElement.all(in: info.content, of: bytes)
        guard let wrapper = parts.dropFirst().first else { throw .detached }
        guard wrapper.tag == 0xA0,
            let octets = try BERElement.all(in: wrapper.content, of: bytes).first
        else { throw .malformed }
        if octets.tag == 0x04 { return Array(bytes[octets.content]) }
        guard octets.tag == 0x24 else { throw .malformed }
        var content: [UInt8] = []
        for piece in try BERElement.all(in: octets.content, of: bytes) {
            guard piece.tag == 0x04 else { throw .malformed }
            content += bytes[piece.content]
        }
        return content
    }
}
