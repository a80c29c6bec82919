// SPDX-License-Identifier: Apache-2.0
import JOSE

/// The identification of the certificate in a signature (RFC 5280 section 4.1), and its key.
struct SigningCertificate {
    /// The encoded name of the issuer.
    let issuer: [UInt8]
    /// The encoded serial number.
    let serial: [UInt8]
    let key: PublicJWK

    private static let sequence: UInt8 = 0x30

    /// - Parameter der: The result is `nil` if it is not a certificate, or has a key of another
    ///   kind.
    init?(_ der: [UInt8]) {
        // version?, serialNumber, signature, issuer, validity, subject, subjectPublicKeyInfo
        guard let outer = Self.parts(of: der[...])?.first,
            let body = Self.parts(of: Self.content(outer))?.first,
            let members = Self.parts(of: Self.content(body))?.drop(while: { $0.first == 0xA0 }),
            let first = members.indices.first, members.count >= 6,
            let key = try? PublicJWK(der: Array(members[first + 5]))
        else { return nil }
        (serial, issuer, self.key) = (Array(members[first]), Array(members[first + 2]), key)
    }

    /// Returns the elements that fill the bytes, each with its tag and length.
    private static func parts(of bytes: ArraySlice<UInt8>) -> [ArraySlice<UInt8>]? {
        let bytes = Array(bytes)
        var (index, parts) = (0, [ArraySlice<UInt8>]())
        while index < bytes.count {
            let start = index
            guard
                (try? BERElement.next(in: bytes, at: &index, end: bytes.count, depth: 0)) != nil
            else { return nil }
            parts.append(bytes[start..<index])
        }
        return parts
    }

    /// Returns the content of a sequence; empty if it is not one.
    private static func content(_ element: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
        let bytes = Array(element)
        var index = 0
        guard bytes.first == sequence,
            let read = try? BERElement.next(in: bytes, at: &index, end: bytes.count, depth: 0)
        else { return [] }
        return bytes[read.content]
    }
}
