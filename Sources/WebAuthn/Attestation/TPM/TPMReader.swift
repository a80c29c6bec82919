// SPDX-License-Identifier: Apache-2.0

/// A reader of big-endian numbers and length-prefixed byte strings of a TPM 2.0 structure (TPM 2.0
/// Library Part 2). It rejects truncated input.
struct TPMReader {
    private(set) var rest: ArraySlice<UInt8>

    init(_ bytes: ArraySlice<UInt8>) { rest = bytes }

    mutating func uint16() throws(TPMStructureError) -> UInt16 {
        try bytes(2).reduce(0) { $0 << 8 | UInt16($1) }
    }

    mutating func uint32() throws(TPMStructureError) -> UInt32 {
        try bytes(4).reduce(0) { $0 << 8 | UInt32($1) }
    }

    mutating func bytes(_ count: Int) throws(TPMStructureError) -> ArraySlice<UInt8> {
        guard rest.count >= count else { throw .truncated }
        defer { rest = rest.dropFirst(count) }
        return rest.prefix(count)
    }

    /// A `TPM2B`: its length in 16 bits, then so many bytes.
    ///
    /// - Parameter limit: The longest that the structure allows.
    mutating func sized(limit: Int) throws(TPMStructureError) -> ArraySlice<UInt8> {
        let count = Int(try uint16())
        guard count <= limit else { throw .tooLong }
        return try bytes(count)
    }

    func end() throws(TPMStructureError) {
        guard rest.isEmpty else { throw .trailingBytes }
    }
}

/// An error of decoding a TPM structure.
package enum TPMStructureError: Error, Sendable, Equatable {
    case truncated
    case trailingBytes
    /// A counted string is longer than its structure allows.
    case tooLong
    /// `TPM_GENERATED_VALUE` is missing: a TPM did not create this.
    case wrongMagic
    /// A TPM created it for another purpose than certifying a key.
    case wrongType
    /// A value that no credential key can have.
    case unsupported(String)
}
