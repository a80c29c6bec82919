// SPDX-License-Identifier: Apache-2.0

/// The common head of every `TPMS_ATTEST` (TPM 2.0 Library Part 2, section 10.12.12).
package struct TPMAttestationHead: Sendable, Equatable {
    /// The data that the caller passed to the TPM: `extraData`.
    package let qualifyingData: ArraySlice<UInt8>
    /// The number of resets of the TPM: `TPMS_CLOCK_INFO.resetCount`.
    package let resetCount: UInt32
    /// The number of restarts since the last reset: `restartCount`.
    package let restartCount: UInt32

    /// `TPM_GENERATED_VALUE`: ÿTCG. A TPM signs no foreign data that begin so.
    private static let generatedValue: UInt32 = 0xFF54_4347
    /// The longest `TPM2B_NAME`: an algorithm and a hash of 64 bytes.
    static let maximumNameLength = 66

    /// - Parameter type: `TPMI_ST_ATTEST`, which prevents the use of one kind of attestation as
    ///   another.
    init(_ reader: inout TPMReader, type: UInt16) throws(TPMStructureError) {
        guard try reader.uint32() == Self.generatedValue else { throw .wrongMagic }
        guard try reader.uint16() == type else { throw .wrongType }
        _ = try reader.sized(limit: Self.maximumNameLength)  // qualifiedSigner
        qualifyingData = try reader.sized(limit: 64)
        _ = try reader.bytes(8)  // clock
        resetCount = try reader.uint32()
        restartCount = try reader.uint32()
        _ = try reader.bytes(1 + 8)  // safe, firmwareVersion
    }
}
