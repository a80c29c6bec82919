// SPDX-License-Identifier: Apache-2.0

/// The picture of a person, stored as the extension returned it.
package struct Avatar: Sendable, Equatable {
    package enum Format: String, Sendable, CaseIterable {
        case png, jpeg

        /// What such a file begins with (PNG section 5.2, ISO/IEC 10918-1 B.1.1.3).
        fileprivate var head: [UInt8] {
            switch self {
            case .png: [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]
            case .jpeg: [0xFF, 0xD8, 0xFF]
            }
        }
    }

    /// In bytes. All pictures lie in the state, which is written whole.
    package static let greatestLength = 65_536
    /// At once on a machine.
    package static let greatestCount = 16

    package let format: Format
    package let bytes: [UInt8]

    /// `nil` for what is neither PNG nor JPEG, or is too long.
    package init?(_ bytes: [UInt8]) {
        guard bytes.count <= Self.greatestLength,
            let format = Format.allCases.first(where: { bytes.starts(with: $0.head) })
        else { return nil }
        self.format = format
        self.bytes = bytes
    }
}
