// SPDX-License-Identifier: Apache-2.0

/// Bytes that are hashed, authenticated or bound: a label, then fields, each with its length in
/// front, so that no two lists of fields have the same bytes (docs/protocols/pin.md, "Bytes").
struct PINTranscript {
    /// What the bytes are for. One label for each use, so that no use can stand in for another.
    enum Label: String, CaseIterable {
        /// What the registration of a device key attests to.
        case registration
        /// The `info` of the sealed delivery of a secret.
        case delivery
        case signInProof = "proof/sign-in"
        case changeProof = "proof/change"
        case commitProof = "proof/commit"
        /// What the device's sealing key binds a sealed secret to.
        case sealed
    }

    private(set) var bytes: [UInt8] = []

    init(_ label: Label, _ binding: PINBinding) {
        append(Array("gatehouse/pin/1/\(label.rawValue)".utf8))
        append(Array(binding.issuer.utf8))
        append(binding.keyID.bytes)
    }

    /// Four bytes of length, most significant first, then the field. No field of ours comes near
    /// four gigabytes.
    mutating func append(_ field: some Collection<UInt8>) {
        appendNumber(UInt32(truncatingIfNeeded: field.count))
        bytes.append(contentsOf: field)
    }

    /// A number is a field of four bytes.
    mutating func append(_ number: UInt32) {
        appendNumber(4)
        appendNumber(number)
    }

    private mutating func appendNumber(_ number: UInt32) {
        withUnsafeBytes(of: number.bigEndian) { bytes.append(contentsOf: $0) }
    }
}
