// SPDX-License-Identifier: Apache-2.0
package import JOSE
import Primitives

/// `x5c` of a header (RFC 7515 section 4.1.6): certificates in Base64 DER, the leaf first.
///
/// It is an array since the documentation of macOS 27, and was one string before. The certificates
/// are untrusted: the caller of the verification validates them.
package enum CertificateChain {
    package static let maximumCertificates = 8

    /// Returns the DER of each certificate; empty without `x5c`.
    ///
    /// - Throws: `certificateMalformed`.
    package static func read(_ header: JSONObject) throws(PlatformSSORefusal) -> [[UInt8]] {
        guard let value = header["x5c"] else { return [] }
        let texts = value.string.map { [$0] } ?? value.strings
        guard let texts, 1...maximumCertificates ~= texts.count else {
            throw PlatformSSORefusal(.certificateMalformed, "x5c contains no certificates")
        }
        let chain = texts.compactMap { Base64.decode($0) }
        guard chain.count == texts.count, chain.allSatisfy({ $0.first == 0x30 }) else {
            throw PlatformSSORefusal(.certificateMalformed, "x5c contains data other than DER")
        }
        return chain
    }

    /// The header member, in the form of the later documents; `nil` without certificates.
    package static func member(_ chain: [[UInt8]]) -> JSONObject.Member? {
        guard !chain.isEmpty else { return nil }
        return .init(name: "x5c", value: .array(chain.map { .string(Base64.encode($0)) }))
    }
}
