// SPDX-License-Identifier: Apache-2.0
import StorageSQL

/// Arguments in libpq's form: bytes in binary, other values as text, whose type the server infers
/// from the statement.
struct PostgreSQLParameters {
    private var buffer: [CChar] = []
    private var offsets: [Int?] = []
    private var lengths: [Int32] = []
    private var formats: [Int32] = []

    init(_ values: [SQLValue]) {
        buffer.reserveCapacity(256)
        for value in values { append(value) }
    }

    typealias Pointers<R> = (
        UnsafePointer<UnsafePointer<CChar>?>?, UnsafePointer<Int32>?, UnsafePointer<Int32>?
    ) -> R

    func withPointers<R>(_ body: Pointers<R>) -> R {
        buffer.withUnsafeBufferPointer { bytes in
            let values = offsets.map { offset in
                offset.flatMap { offset in bytes.baseAddress.map { $0 + offset } }
            }
            return values.withUnsafeBufferPointer { values in
                lengths.withUnsafeBufferPointer { lengths in
                    formats.withUnsafeBufferPointer { formats in
                        body(values.baseAddress, lengths.baseAddress, formats.baseAddress)
                    }
                }
            }
        }
    }

    private mutating func append(_ value: SQLValue) {
        switch value {
        case .null: append(nil as [UInt8]?, format: 0)
        case .integer(let number): append(Array(String(number).utf8), format: 0)
        case .text(let text): append(Array(text.utf8), format: 0)
        case .bytes(let bytes): append(bytes, format: 1)
        }
    }

    /// Appends a value with a terminating zero. Text requires it, and an empty value gets a pointer
    /// by it.
    private mutating func append(_ bytes: [UInt8]?, format: Int32) {
        offsets.append(bytes == nil ? nil : buffer.count)
        lengths.append(Int32(clamping: bytes?.count ?? 0))
        formats.append(format)
        guard let bytes else { return }
        buffer.append(contentsOf: bytes.lazy.map { CChar(bitPattern: $0) })
        buffer.append(0)
    }
}
