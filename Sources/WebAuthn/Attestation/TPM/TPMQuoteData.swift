// SPDX-License-Identifier: Apache-2.0

/// `TPMS_ATTEST` of a quote (TPM 2.0 Library Part 2, section 10.12.1): the selected platform
/// configuration registers, and the hash of their values.
package struct TPMQuoteData: Sendable {
    /// `TPMS_PCR_SELECTION`: registers of one bank.
    package struct Selection: Sendable, Equatable {
        /// `TPM_ALG_ID` of the bank's hash.
        package let bank: UInt16
        /// The register numbers in order: the hash covers their values one after another.
        package let indexes: [Int]
    }

    package let head: TPMAttestationHead
    /// In the order in which the values were hashed.
    package let selections: [Selection]
    package let digest: ArraySlice<UInt8>

    /// `TPM_ST_ATTEST_QUOTE`.
    private static let quote: UInt16 = 0x8018
    private static let greatestBanks = 16
    /// A bit for each of 24 registers; TPMs have at most 32.
    private static let greatestBitmap = 4

    package init(_ bytes: ArraySlice<UInt8>) throws(TPMStructureError) {
        var reader = TPMReader(bytes)
        head = try TPMAttestationHead(&reader, type: Self.quote)
        let count = Int(try reader.uint32())
        guard count <= Self.greatestBanks else { throw .tooLong }
        var selections: [Selection] = []
        for _ in 0..<count { selections.append(try Self.selection(&reader)) }
        self.selections = selections
        digest = try reader.sized(limit: 64)
        try reader.end()
    }

    private static func selection(
        _ reader: inout TPMReader
    ) throws(TPMStructureError) -> Selection {
        let bank = try reader.uint16()
        let length = Int(try reader.bytes(1).first ?? 0)
        guard length <= greatestBitmap else { throw .tooLong }
        let bitmap = Array(try reader.bytes(length))
        let indexes = (0..<bitmap.count * 8).filter { bitmap[$0 / 8] >> ($0 % 8) & 1 == 1 }
        return Selection(bank: bank, indexes: indexes)
    }
}
