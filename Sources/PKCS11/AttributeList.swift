// SPDX-License-Identifier: Apache-2.0
import CPKCS11

/// A template: what an object has to be, or becomes (PKCS#11 2.40 section 4).
struct AttributeList: ExpressibleByArrayLiteral {
    enum Value {
        case flag(Bool)
        case number(UInt)
        case bytes([UInt8])

        /// As it lies in memory: `CK_BBOOL`, `CK_ULONG`, or bytes.
        fileprivate var bytes: [UInt8] {
            switch self {
            case .flag(let isSet): [isSet ? 1 : 0]
            case .number(let number): withUnsafeBytes(of: number) { Array($0) }
            case .bytes(let bytes): bytes
            }
        }
    }

    private let attributes: [(type: UInt, bytes: [UInt8])]

    init(arrayLiteral elements: (UInt, Value)...) {
        attributes = elements.map { ($0, $1.bytes) }
    }

    /// Lends the attributes in C's form, each value aligned as a number has to be.
    func lent<Result>(
        _ body: (UnsafeMutablePointer<CK_ATTRIBUTE>, UInt) throws(PKCS11Error) -> Result
    ) throws(PKCS11Error) -> Result {
        let alignment = MemoryLayout<UInt>.alignment
        let sizes = attributes.map { ($0.bytes.count / alignment + 1) * alignment }
        let memory = UnsafeMutableRawBufferPointer.allocate(
            byteCount: sizes.reduce(0, +), alignment: alignment)
        defer { memory.deallocate() }
        let list = UnsafeMutableBufferPointer<CK_ATTRIBUTE>.allocate(capacity: attributes.count)
        defer { list.deallocate() }
        var start = 0
        for (index, attribute) in attributes.enumerated() {
            let place = UnsafeMutableRawBufferPointer(
                rebasing: memory[start..<(start + attribute.bytes.count)])
            place.copyBytes(from: attribute.bytes)
            list.initializeElement(
                at: index,
                to: CK_ATTRIBUTE(
                    type: attribute.type, value: memory.baseAddress?.advanced(by: start),
                    length: UInt(attribute.bytes.count)))
            start += sizes[index]
        }
        guard let first = list.baseAddress else { throw .malformed("an empty template") }
        return try body(first, UInt(attributes.count))
    }
}
