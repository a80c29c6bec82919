// SPDX-License-Identifier: Apache-2.0

/// An object that a TPM exports for storage: the private part is encrypted for that TPM only
/// (`TPM2B_PRIVATE` and `TPM2B_PUBLIC`, TPM 2.0 Library part 2 sections 12.3.7 and 12.2.5).
package struct TPMObject: Sendable, Equatable {
    /// Longest part, in bytes.
    private static let limit = 1024

    package let privatePart: [UInt8]
    /// `TPMT_PUBLIC`.
    package let publicPart: [UInt8]

    /// `nil` for parts that no TPM has made: empty ones, or more than 1024 bytes.
    package init?(privatePart: [UInt8], publicPart: [UInt8]) {
        guard (1...Self.limit).contains(privatePart.count),
            (1...Self.limit).contains(publicPart.count)
        else { return nil }
        (self.privatePart, self.publicPart) = (privatePart, publicPart)
    }

    /// Reads the object from the response to `TPM2_Create`.
    init(created response: inout TPMResponse) throws(TPMError) {
        try response.skipParameterSize()
        guard
            let object = TPMObject(
                privatePart: try response.buffer(), publicPart: try response.buffer())
        else { throw .nonsense }
        self = object
    }

    /// The public half of a key on P-256, x and y, 32 bytes each; `nil` for any other object
    /// (`TPMT_PUBLIC`, part 2 section 12.2.4).
    package var point: [UInt8]? {
        var fields = TPMResponse(structure: publicPart)
        return try? Self.point(&fields)
    }

    private static func point(_ fields: inout TPMResponse) throws(TPMError) -> [UInt8] {
        // An ECC key named by SHA-256, whatever it may be used for, under no policy.
        guard try fields.number16() == 0x0023, try fields.number16() == 0x000B else {
            throw .nonsense
        }
        _ = try fields.number32()
        guard try fields.buffer().isEmpty, try fields.number16() == 0x0010 else { throw .nonsense }
        // ECDSA names its hash; an agreement key has no scheme.
        switch try fields.number16() {
        case 0x0010: break
        case 0x0018: guard try fields.number16() == 0x000B else { throw .nonsense }
        default: throw .nonsense
        }
        guard try fields.number16() == 0x0003, try fields.number16() == 0x0010,
            let x = padded(try fields.buffer()), let y = padded(try fields.buffer()),
            fields.isAtEnd
        else { throw .nonsense }
        return x + y
    }

    /// A number of 32 bytes, with the zeros in front that some TPMs leave out.
    static func padded(_ number: [UInt8]) -> [UInt8]? {
        guard number.count <= 32 else { return nil }
        return [UInt8](repeating: 0, count: 32 - number.count) + number
    }

    // MARK: Stored form

    /// Both parts, each behind its length in two bytes, most significant first.
    package var encoded: [UInt8] { Self.sized(privatePart) + Self.sized(publicPart) }

    /// Several objects that were written one after the other; `nil` when that is not what the bytes
    /// are, to the last one.
    package static func decode(_ bytes: [UInt8], count: Int) -> [TPMObject]? {
        var fields = TPMResponse(structure: bytes)
        var objects: [TPMObject] = []
        for _ in 0..<count {
            guard let privatePart = try? fields.buffer(), let publicPart = try? fields.buffer(),
                let object = TPMObject(privatePart: privatePart, publicPart: publicPart)
            else { return nil }
            objects.append(object)
        }
        return fields.isAtEnd ? objects : nil
    }

    private static func sized(_ bytes: [UInt8]) -> [UInt8] {
        [UInt8(truncatingIfNeeded: bytes.count >> 8), UInt8(truncatingIfNeeded: bytes.count)]
            + bytes
    }
}
