// SPDX-License-Identifier: Apache-2.0

/// A response of a smart card.
package struct ResponseAPDU: Sendable, Equatable {
    package var data: [UInt8]
    package var status: StatusWord

    package init(data: [UInt8] = [], status: StatusWord) {
        self.data = data
        self.status = status
    }

    /// `nil` when not even a status word is there.
    package init?(_ bytes: [UInt8]) {
        guard bytes.count >= 2 else { return nil }
        data = Array(bytes.dropLast(2))
        let word = bytes.suffix(2).reduce(0 as UInt16) { $0 << 8 | UInt16($1) }
        status = StatusWord(rawValue: word)
    }

    package var bytes: [UInt8] {
        data + [UInt8(status.rawValue >> 8), UInt8(status.rawValue & 0xFF)]
    }
}
