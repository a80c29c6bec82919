// SPDX-License-Identifier: Apache-2.0
import Platform

/// Bytes that must not be seen: every way of printing them says `[redacted]`, and their memory is
/// overwritten when the last copy goes.
///
/// The use is explicit: ``withBytes(_:)`` lends the bytes, ``reveal()`` makes a copy that is not
/// overwritten. Both are easy to search for.
package struct Secret: Sendable, Equatable, CustomStringConvertible, CustomDebugStringConvertible,
    CustomReflectable
{
    /// Memory that this object does not share with any array.
    private final class Memory: Sendable {
        let bytes: [UInt8]

        init(copying source: some Sequence<UInt8>) {
            bytes = source.withContiguousStorageIfAvailable { Array($0) } ?? source.map { $0 }
        }

        deinit { Secret.overwrite(bytes) }
    }

    private let memory: Memory

    package init(_ bytes: some Sequence<UInt8>) { memory = Memory(copying: bytes) }

    package init(_ text: String) { self.init(text.utf8) }

    /// Moves bytes: their old memory is zeroed, unless another variable shares it.
    package init(wiping bytes: inout some MutableCollection<UInt8>) {
        self.init(bytes)
        let isDone: Void? = bytes.withContiguousMutableStorageIfAvailable {
            $0.update(repeating: 0)
        }
        if isDone == nil { for index in bytes.indices { bytes[index] = 0 } }
    }

    /// Overwrites an array where it is, for all who share its memory: they must not read it again.
    /// It must have been made at run time, as literals are not on the heap.
    package static func overwrite(_ bytes: [UInt8]) {
        bytes.withUnsafeBytes { bytes in
            guard let base = UnsafeMutableRawPointer(mutating: bytes.baseAddress) else { return }
            ProcessMemory.overwrite(base, bytes.count)
        }
    }

    /// Overwrites memory that the caller alone uses.
    package static func overwrite(_ buffer: UnsafeMutableRawBufferPointer) {
        if let start = buffer.baseAddress { ProcessMemory.overwrite(start, buffer.count) }
    }

    /// Lends the bytes, which must not be kept.
    package func withBytes<Value, Failure: Error>(
        _ body: (UnsafeBufferPointer<UInt8>) throws(Failure) -> Value
    ) throws(Failure) -> Value {
        try memory.bytes.withUnsafeBufferPointer(body)
    }

    /// A copy of the bytes.
    package func reveal() -> [UInt8] { withBytes { Array($0) } }

    /// The bytes as text; invalid UTF-8 is repaired.
    package func revealText() -> String { String(decoding: memory.bytes, as: UTF8.self) }

    package var isEmpty: Bool { memory.bytes.isEmpty }

    package var description: String { "[redacted]" }
    package var debugDescription: String { "[redacted]" }
    package var customMirror: Mirror { Mirror(self, children: []) }

    /// Constant time in the content.
    package static func == (left: Secret, right: Secret) -> Bool {
        ConstantTime.equal(left.memory.bytes, right.memory.bytes)
    }
}
