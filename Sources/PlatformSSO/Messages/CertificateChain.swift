// SPDX-License-Identifier: Apache-2.0
package import JOSE
import Primitives

/// `x5c` of a header (RFC 7515 section 4.1.6): certificates in base64 DER, the leaf first.
///
/// An array since the documentation of macOS 27, one string before. Nothing in it is trusted: whoever
/// verifies has the certificates checked elsewhere.
package enum CertificateChain {
    package static let maximumCertificates = 8

    /// The DER of each certificate; empty when there is no `x5c`.
    ///
    /// - Throws: `certificateMalformed`.
    package static func read(_ header: JSONObject) throws(PlatformSSORefusal) -> [[UInt8]] {
        guard let value = header["x5c"] else { return [] }
        let texts = value.string.map { [$0] } ?? value.strings
        guard let texts, 1...maximumCertificates ~= texts.count else {
            throw PlatformSSORefusal(.certificateMalformed, "x5c holds no certificates")
        }
        let chain = texts.compactMap { Base64.decode($0) }
        guard chain.count == texts.count, chain.allSatisfy({ $0.first == 0x30 }) else {
            throw PlatformSSORefusal(.certificateMalformed, "x5c holds something else than DER")
        }
        return chain
    }

    /// The header member, in the form of the later documents; `nil` without certificates.
    package static func member(_ chain: [[UInt8]]) -> JSONObject.Member? {
        guard !chain.isEmpty else { return nil }
        return .init(name: "x5c", value: .array(chain.map { .string(Base64.encode($0)) }))
    }
}
