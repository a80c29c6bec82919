// SPDX-License-Identifier: Apache-2.0

/// Bytes that are hashed, authenticated or bound: a label, then fields, each after its length.
/// Different lists of fields have different bytes (docs/protocols/pin.md, "Bytes").
struct PINTranscript {
    /// The purpose of the bytes. Each use has a separate label, so that the bytes cannot be used
    /// for another.
    enum Label: String, CaseIterable {
        /// The challenge of the attestation of a device key.
        case registration
        /// The `info` of the sealed delivery of a secret.
        case delivery
        case signInProof = "proof/sign-in"
        case changeProof = "proof/change"
        case commitProof = "proof/commit"
        /// The additional data of a sealed secret.
        case sealed
        /// The `info` of a sealed proof, in version 2.
        case sealedProof = "proof/sealed"
    }

    private(set) var bytes: [UInt8] = []

    init(_ label: Label, _ binding: PINBinding, _ version: PINProtocolVersion) {
        append(Array("gatehouse/pin/\(version.rawValue)/\(label.rawValue)".utf8))
        append(Array(binding.issuer.utf8))
        append(binding.keyID.bytes)
    }

    /// Appends four bytes of length, most significant first, and the field. Fields are always
    /// shorter than four gigabytes.
    mutating func append(_ field: some Collection<UInt8>) {
        appendNumber(UInt32(truncatingIfNeeded: field.count))
        bytes.append(contentsOf: field)
    }

    /// Appends a number as a field of four bytes.
    mutating func append(_ number: UInt32) {
        appendNumber(4)
        appendNumber(number)
    }

    private mutating func appendNumber(_ number: UInt32) {
        withUnsafeBytes(of: number.bigEndian) { bytes.append(contentsOf: $0) }
    }
}
