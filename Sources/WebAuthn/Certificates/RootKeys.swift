// SPDX-License-Identifier: Apache-2.0
import Primitives
import SwiftASN1
import X509

/// Public keys that are trusted as roots, whatever certificate carries them.
///
/// A maker renews the certificate of its root while the key stays (Android's has four), and a
/// certificate that expired says nothing about the key: what is pinned is the key.
package struct RootKeys: Sendable {
    private let keys: [Certificate.PublicKey]

    /// No root at all: nothing leads there.
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

    /// Of literals: base64 of `SubjectPublicKeyInfo`, with white space. One that does not spell a key leaves no
    /// root, so that nothing is trusted.
    package init(base64 texts: [String]) {
        let keys = texts.compactMap { Base64.decode($0, skippingWhitespace: true) }
        self = (try? RootKeys(der: keys)) ?? .none
    }

    /// Those that an anchor certifies.
    func among(_ anchors: TrustAnchors) -> RootKeys {
        RootKeys(
            keys.filter { key in anchors.certificates.contains { $0.certificate.publicKey == key } }
        )
    }

    package var isEmpty: Bool { keys.isEmpty }

    /// These and others.
    package func adding(_ others: RootKeys) -> RootKeys { RootKeys(keys + others.keys) }

    /// Whether one of the keys has signed the certificate.
    package func haveSigned(_ certificate: AttestationCertificate) -> Bool {
        keys.contains { certificate.isSigned(by: $0) }
    }

    /// A root that is neither a public key nor a certificate.
    package struct RootKeyError: Error, Sendable, Equatable {
        /// Which one, from 0.
        package let index: Int

        package init(index: Int) { self.index = index }
    }
}
