// SPDX-License-Identifier: Apache-2.0

/// `TPMS_ATTEST` (TPM 2.0 Library Part 2, section 10.12.12) of a certified key: what the TPM signs.
package struct TPMAttestationData: Sendable {
    /// The data that the caller passed to the TPM: `extraData`.
    package let qualifyingData: ArraySlice<UInt8>
    /// The name of the certified key: a hash algorithm and the hash of its public area.
    package let name: ArraySlice<UInt8>

    /// `TPM_ST_ATTEST_CERTIFY`.
    private static let certify: UInt16 = 0x8017

    package init(_ bytes: ArraySlice<UInt8>) throws(TPMStructureError) {
        var reader = TPMReader(bytes)
        qualifyingData = try TPMAttestationHead(&reader, type: Self.certify).qualifyingData
        name = try reader.sized(limit: TPMAttestationHead.maximumNameLength)
        _ = try reader.sized(limit: TPMAttestationHead.maximumNameLength)  // qualifiedName
        try reader.end()
    }
}
