// SPDX-License-Identifier: Apache-2.0
import Primitives
import SwiftASN1
import X509

/// Public keys that are trusted as roots, independent of the certificate that contains them.
///
/// A manufacturer renews the certificate of a root while the key stays (Android's has four). The
/// expiry of a certificate does not affect the key, so the key is pinned.
package struct RootKeys: Sendable {
    private let keys: [Certificate.PublicKey]

    /// No root key, so that no chain is trusted.
    package static let none = RootKeys([])

    private init(_ keys: [Certificate.PublicKey]) { self.keys = keys }

    /// - Parameter infos: DER of `SubjectPublicKeyInfo` (RFC 5280 section 4.1.2.7), or of a
    ///   certificate, whose key is taken.
    /// - Throws: ``RootKeyError`` for what is neither.
    package init(der infos: [[UInt8]]) throws(RootKeyError) {
        var keys: [Certificate.PublicKey] = []
        for (index, der) in infos.enumerated() {
            let certified = (try? AttestationCertificate(der: der)).flatMap {
                $0.mlDSAKey == nil ? $0.certificate.publicKey : nil
            }
            guard let key = certified ?? (try? Certificate.PublicKey(derEncoded: der)) else {
                throw RootKeyError(index: index)
            }
            keys.append(key)
        }
        self.init(keys)
    }

    /// Creates root keys from literals: Base64 of `SubjectPublicKeyInfo`, with white space. If a
    /// text is not a key, there are no roots, so that nothing is trusted.
    package init(base64 texts: [String]) {
        let keys = texts.compactMap { Base64.decode($0, skippingWhitespace: true) }
        self = (try? RootKeys(der: keys)) ?? .none
    }

    /// Returns the root keys that an anchor certifies.
    func among(_ anchors: TrustAnchors) -> RootKeys {
        RootKeys(
            keys.filter { key in anchors.certificates.contains { $0.certificate.publicKey == key } }
        )
    }

    package var isEmpty: Bool { keys.isEmpty }

    /// Whether one of the keys has signed the certificate.
    package func haveSigned(_ certificate: AttestationCertificate) -> Bool {
        keys.contains { certificate.isSigned(by: $0) }
    }

    /// A root that is neither a public key nor a certificate.
    package struct RootKeyError: Error, Sendable, Equatable {
        /// The index of the key, from 0.
        package let index: Int

        package init(index: Int) { self.index = index }
    }
}
