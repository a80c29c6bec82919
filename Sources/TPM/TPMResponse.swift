// SPDX-License-Identifier: Apache-2.0

/// A reader of a TPM's response or structure.
struct TPMResponse {
    /// The maximum size of a response, in bytes.
    static let limit = 4096

    private var rest: ArraySlice<UInt8>

    /// Reads the header of a response.
    ///
    /// - Throws: ``TPMError/refused(code:)`` if the TPM refused, ``TPMError/nonsense`` if the
    ///   response is invalid.
    init(_ bytes: [UInt8]) throws(TPMError) {
        rest = bytes[...]
        _ = try number(2)
        guard try number(4) == UInt32(clamping: bytes.count) else { throw .nonsense }
        let code = try number(4)
        guard code == 0 else { throw .refused(code: code) }
    }

    /// A structure without a header.
    init(structure bytes: [UInt8]) { rest = bytes[...] }

    var isAtEnd: Bool { rest.isEmpty }

    /// Returns the length in a response's header, after ten bytes were received.
    static func announcedLength(_ bytes: [UInt8]) -> Int? {
        guard bytes.count >= 10 else { return nil }
        return bytes[2..<6].reduce(0) { $0 << 8 | Int($1) }
    }

    private mutating func number(_ width: Int) throws(TPMError) -> UInt32 {
        guard rest.count >= width else { throw .nonsense }
        defer { rest = rest.dropFirst(width) }
        return rest.prefix(width).reduce(0) { $0 << 8 | UInt32($1) }
    }

    mutating func number8() throws(TPMError) -> UInt8 {
        UInt8(truncatingIfNeeded: try number(1))
    }

    mutating func number16() throws(TPMError) -> UInt16 {
        UInt16(truncatingIfNeeded: try number(2))
    }

    mutating func number32() throws(TPMError) -> UInt32 { try number(4) }

    mutating func handle() throws(TPMError) -> TPMCommand.Handle { try number(4) }

    /// Skips the size of the parameters, which responses to authorized commands contain.
    mutating func skipParameterSize() throws(TPMError) { _ = try number(4) }

    /// A sized buffer.
    mutating func buffer() throws(TPMError) -> [UInt8] {
        let size = Int(try number(2))
        guard rest.count >= size else { throw .nonsense }
        defer { rest = rest.dropFirst(size) }
        return Array(rest.prefix(size))
    }
}
