// SPDX-License-Identifier: Apache-2.0

/// What a TPM answers: its header checked, its parameters read one after the other.
struct TPMResponse {
    /// The most that is read of an answer, in bytes.
    static let limit = 4096

    private var rest: ArraySlice<UInt8>

    /// - Throws: ``AuthenticatorStoreError/tpm(code:)`` when the TPM refused,
    ///   ``AuthenticatorStoreError/tpmProtocol`` when it answered nonsense.
    init(_ bytes: [UInt8]) throws(AuthenticatorStoreError) {
        rest = bytes[...]
        _ = try number(2)
        guard try number(4) == UInt32(bytes.count) else { throw .tpmProtocol }
        let code = try number(4)
        guard code == 0 else { throw .tpm(code: code) }
    }

    /// The length that an answer's header announces, once ten bytes are there.
    static func announcedLength(_ bytes: [UInt8]) -> Int? {
        guard bytes.count >= 10 else { return nil }
        return bytes[2..<6].reduce(0) { $0 << 8 | Int($1) }
    }

    private mutating func number(_ width: Int) throws(AuthenticatorStoreError) -> UInt32 {
        guard rest.count >= width else { throw .tpmProtocol }
        defer { rest = rest.dropFirst(width) }
        return rest.prefix(width).reduce(0) { $0 << 8 | UInt32($1) }
    }

    mutating func number16() throws(AuthenticatorStoreError) -> UInt16 {
        UInt16(truncatingIfNeeded: try number(2))
    }

    mutating func handle() throws(AuthenticatorStoreError) -> TPMCommand.Handle { try number(4) }

    /// Steps over the size of the parameters, which stands in answers to authorised commands.
    mutating func skipParameterSize() throws(AuthenticatorStoreError) { _ = try number(4) }

    /// A sized buffer.
    mutating func buffer() throws(AuthenticatorStoreError) -> [UInt8] {
        let size = Int(try number(2))
        guard rest.count >= size else { throw .tpmProtocol }
        defer { rest = rest.dropFirst(size) }
        return Array(rest.prefix(size))
    }
}
