// SPDX-License-Identifier: Apache-2.0

/// `TPMS_ATTEST` (TPM 2.0 Library Part 2, section 10.12.12) of a certified key: what the TPM signs.
package struct TPMAttestationData: Sendable {
    /// What the caller handed to the TPM: `extraData`.
    package let qualifyingData: ArraySlice<UInt8>
    /// The name of the certified key: a hash algorithm and the hash of its public area.
    package let name: ArraySlice<UInt8>

    /// `TPM_GENERATED_VALUE`: ÿTCG. A TPM signs no foreign data that begin so.
    private static let generatedValue: UInt32 = 0xFF54_4347
    /// `TPM_ST_ATTEST_CERTIFY`.
    private static let certify: UInt16 = 0x8017
    /// The longest `TPM2B_NAME`: an algorithm and a hash of 64 bytes.
    private static let longestName = 66

    package init(_ bytes: ArraySlice<UInt8>) throws(TPMStructureError) {
        var reader = TPMReader(bytes)
        guard try reader.uint32() == Self.generatedValue else { throw .wrongMagic }
        guard try reader.uint16() == Self.certify else { throw .wrongType }
        _ = try reader.sized(limit: Self.longestName)  // qualifiedSigner
        qualifyingData = try reader.sized(limit: 64)
        // clockInfo: clock, resetCount, restartCount, safe; then firmwareVersion.
        _ = try reader.bytes(8 + 4 + 4 + 1 + 8)
        name = try reader.sized(limit: Self.longestName)
        _ = try reader.sized(limit: Self.longestName)  // qualifiedName
        try reader.end()
    }
}
