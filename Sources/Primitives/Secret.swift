// SPDX-License-Identifier: Apache-2.0

/// Bytes that must not be seen: every way of printing them says `[redacted]`.
///
/// To use the bytes, say so: ``reveal()`` is the only way to them, and easy to search for.
package struct Secret: Sendable, Equatable, CustomStringConvertible, CustomDebugStringConvertible,
    CustomReflectable
{
    private let bytes: [UInt8]

    package init(_ bytes: some Sequence<UInt8>) { self.bytes = Array(bytes) }

    package init(_ text: String) { bytes = Array(text.utf8) }

    /// The bytes themselves.
    package func reveal() -> [UInt8] { bytes }

    /// The bytes as text; invalid UTF-8 is repaired.
    package func revealText() -> String { String(decoding: bytes, as: UTF8.self) }

    package var isEmpty: Bool { bytes.isEmpty }

    package var description: String { "[redacted]" }
    package var debugDescription: String { "[redacted]" }
    package var customMirror: Mirror { Mirror(self, children: []) }

    /// Constant time in the content.
    package static func == (left: Secret, right: Secret) -> Bool {
        ConstantTime.equal(left.bytes, right.bytes)
    }
}
