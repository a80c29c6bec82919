// SPDX-License-Identifier: Apache-2.0
import Primitives

/// SHA-256 of a certificate that an Android application is signed with.
///
/// The Play Console shows it as hexadecimal with colons, verdicts of Play Integrity carry it in
/// base64url, key attestation as bytes: all three are the same value here.
package struct CertificateFingerprint: Sendable, Hashable, CustomStringConvertible {
    package let bytes: [UInt8]

    /// Returns `nil` if it has not 32 bytes.
    package init?(bytes: some Collection<UInt8>) {
        guard bytes.count == 32 else { return nil }
        self.bytes = Array(bytes)
    }

    /// Reads hexadecimal with or without colons, of either case, or base64url.
    package init?(_ text: String) {
        let digits = Self.withoutColons(text)
        if let digits, digits.utf8.count == 64, let bytes = Hexadecimal.decode(digits) {
            self.init(bytes: bytes)
        } else if let bytes = Base64URL.decode(text) {
            self.init(bytes: bytes)
        } else {
            return nil
        }
    }

    /// Colons must separate all pairs of digits or be absent.
    private static func withoutColons(_ text: String) -> String? {
        guard text.utf8.contains(UInt8(ascii: ":")) else { return text }
        let pairs = text.split(separator: ":", omittingEmptySubsequences: false)
        return pairs.allSatisfy { $0.utf8.count == 2 } ? pairs.joined() : nil
    }

    /// The form of the Play Console: `10:39:38:…`.
    package var description: String {
        bytes.map { Hexadecimal.encode([$0]) }.joined(separator: ":").uppercased()
    }
}

/// An accepted Android application of a project: its package and its signing certificates.
package struct AndroidApplication: Sendable, Equatable {
    package let packageName: String
    package let fingerprints: Set<CertificateFingerprint>

    package init(packageName: String, fingerprints: Set<CertificateFingerprint>) {
        self.packageName = packageName
        self.fingerprints = fingerprints
    }
}

extension [AndroidApplication] {
    /// Returns the accepted application of that package, signed only with accepted certificates.
    ///
    /// - Parameter digests: Of every certificate of its signature; `nil` for an unreadable one.
    func application(
        named names: [String], signedWith digests: [CertificateFingerprint?]
    ) throws(AttestationRefusal) -> AndroidApplication {
        guard let found = first(where: { names.contains($0.packageName) }) else {
            throw AttestationRefusal(
                .applicationMismatch, "the application is not accepted: \(names)")
        }
        guard !digests.isEmpty,
            digests.allSatisfy({ $0.map(found.fingerprints.contains) ?? false })
        else {
            throw AttestationRefusal(.fingerprintMismatch, "signed with another certificate")
        }
        return found
    }
}
