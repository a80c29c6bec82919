// SPDX-License-Identifier: Apache-2.0
import Crypto
import JOSE
import Primitives
import WebAuthn

/// A TPM's statement of its device's boot state: `TPM2_Quote` over platform configuration registers
/// (TPM 2.0 Library Part 3, section 18.4).
package struct UnverifiedTPMQuote: Sendable {
    /// `TPMS_ATTEST`.
    package let quoted: [UInt8]
    /// The signature of `quoted`, with the certified key's attestation key and algorithm.
    package let signature: [UInt8]
    /// The hashed values of the SHA-256 bank: 32 bytes each.
    package let values: [Int: [UInt8]]

    package init(quoted: [UInt8], signature: [UInt8], values: [Int: [UInt8]]) {
        self.quoted = quoted
        self.signature = signature
        self.values = values
    }
}

/// The required boot state of devices: registers of the SHA-256 bank, with the accepted values of
/// each. A quote may contain further registers.
package struct TPMBootRequirement: Sendable, Equatable {
    package let accepted: [Int: Set<[UInt8]>]

    package init(accepted: [Int: Set<[UInt8]>]) { self.accepted = accepted }
}

/// A verifier of a quote by a trusted attestation key.
struct TPMQuoteVerifier {
    let requirement: TPMBootRequirement

    /// `TPM_ALG_SHA256`
    private static let bank: UInt16 = 0x000B

    func check(
        _ quote: UnverifiedTPMQuote, by key: PublicJWK, _ algorithm: COSEAlgorithm,
        expecting expectation: AttestationExpectation
    ) throws(AttestationRefusal) -> VerifiedTPMQuote {
        // 1: the attestation key has signed the quote, for this challenge.
        guard let check = COSESignatureVerifier(key, algorithm: algorithm),
            check.isValid(signature: quote.signature[...], over: quote.quoted[...], [])
        else { throw AttestationRefusal(.signatureInvalid, "the quote is not by the same key") }
        let data: TPMQuoteData
        do { data = try TPMQuoteData(quote.quoted[...]) } catch {
            throw AttestationRefusal(.evidenceMalformed, "TPM structure: \(error)")
        }
        try expectation.requireChallenge(data.head.qualifyingData, "extraData of the quote")
        // 2: it covers the sent values of the required registers.
        let indexes = try selected(data, among: quote.values)
        let found = indexes.compactMap { quote.values[$0] }
        guard found.count == indexes.count, found.allSatisfy({ $0.count == 32 }) else {
            throw AttestationRefusal(.registerMissing, "a quoted register has no value of 32 bytes")
        }
        guard data.digest.elementsEqual(digest(of: Array(found.joined()), algorithm)) else {
            throw AttestationRefusal(.registerMismatch, "the values are not what was quoted")
        }
        // 3: the registers have accepted values.
        for (index, accepted) in requirement.accepted.sorted(by: { $0.key < $1.key }) {
            guard let value = quote.values[index], indexes.contains(index) else {
                throw AttestationRefusal(.registerMissing, "register \(index) was not quoted")
            }
            guard accepted.contains(value) else {
                throw AttestationRefusal(
                    .bootNotAccepted, "register \(index) is \(Hexadecimal.encode(value))")
            }
        }
        return VerifiedTPMQuote(values: quote.values, resetCount: data.head.resetCount)
    }

    /// Returns the registers, which must be of one bank and have exactly one value each.
    private func selected(
        _ data: TPMQuoteData, among values: [Int: [UInt8]]
    ) throws(AttestationRefusal) -> [Int] {
        let selections = data.selections.filter { !$0.indexes.isEmpty }
        guard let only = selections.first, selections.count == 1, only.bank == Self.bank,
            Set(only.indexes) == Set(values.keys)
        else {
            throw AttestationRefusal(
                .registerMissing, "not the registers of the SHA-256 bank that were sent")
        }
        return only.indexes
    }

    /// Returns the digest with the hash of the signature (Part 3, section 18.4.1).
    private func digest(of values: [UInt8], _ algorithm: COSEAlgorithm) -> [UInt8] {
        algorithm == .es384 ? Array(SHA384.hash(data: values)) : Array(SHA256.hash(data: values))
    }
}

/// A device's boot state, attested by its TPM. Only the verifier creates one.
package struct VerifiedTPMQuote: Sendable, Equatable {
    /// The values of the SHA-256 bank.
    package let values: [Int: [UInt8]]
    /// The number of resets of the TPM, which distinguishes boots.
    package let resetCount: UInt32

    fileprivate init(values: [Int: [UInt8]], resetCount: UInt32) {
        self.values = values
        self.resetCount = resetCount
    }
}
