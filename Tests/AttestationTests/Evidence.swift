// SPDX-License-Identifier: Apache-2.0
import Attestation
import AttestationSupport
import Crypto
import Foundation
import JOSE
import Primitives
import Support
import SwiftASN1
import Testing
import WebAuthn
import X509

/// The moment of every test that has its own certificates.
let now = SampleEvidence.now

/// The challenge to which all tests bind evidence.
let challenge = SampleEvidence.challenge

/// The files of ../shared/vectors. A separate clone has no such directory, and then the tests that
/// require them are skipped.
enum SharedVector {
    static func text(_ name: String) -> String? {
        let file = URL(filePath: #filePath).deletingLastPathComponent()
            .deletingLastPathComponent().deletingLastPathComponent()
            .appending(path: "../shared/vectors/\(name)").standardizedFileURL
        return try? String(contentsOf: file, encoding: .utf8)
    }

    /// The certificates of a PEM file, DER.
    static func certificates(_ name: String) -> [[UInt8]] {
        text(name).map { certificates(in: $0) } ?? []
    }

    static func certificates(in text: String) -> [[UInt8]] {
        text.components(separatedBy: "-----BEGIN CERTIFICATE-----").dropFirst().compactMap {
            guard let body = $0.components(separatedBy: "-----END").first else { return nil }
            return Base64.decode(body, skippingWhitespace: true)
        }
    }
}
