// SPDX-License-Identifier: Apache-2.0

/// A command to a smart card (ISO/IEC 7816-4 section 5.1), also the form of U2F messages.
package struct CommandAPDU: Sendable, Equatable {
    package var cla: UInt8
    package var ins: UInt8
    package var p1: UInt8
    package var p2: UInt8
    /// At most 65,535 bytes.
    package var data: [UInt8]
    /// The maximum length of the response, 1 to 65,536; `nil` requires no response data.
    package var expected: Int?

    package init(
        cla: UInt8, ins: UInt8, p1: UInt8 = 0, p2: UInt8 = 0, data: [UInt8] = [],
        expected: Int? = nil
    ) {
        (self.cla, self.ins, self.p1, self.p2) = (cla, ins, p1, p2)
        self.data = data
        self.expected = expected
    }

    /// The short form, or `nil` when the data exceed 255 bytes or what is expected 256.
    package var short: [UInt8]? {
        guard data.count <= 255, (expected ?? 1) <= 256 else { return nil }
        var bytes = [cla, ins, p1, p2]
        if !data.isEmpty { bytes += [UInt8(truncatingIfNeeded: data.count)] + data }
        if let expected { bytes.append(UInt8(truncatingIfNeeded: expected)) }
        return bytes
    }

    /// The extended form, or `nil` when the data exceed 65,535 bytes.
    package var extended: [UInt8]? {
        guard data.count <= 65535, (expected ?? 1) <= 65536 else { return nil }
        var bytes = [cla, ins, p1, p2, 0]
        if !data.isEmpty { bytes += Self.pair(data.count) + data }
        if let expected { bytes += Self.pair(expected) }
        // Without data and without an expectation the form is the short one.
        return data.isEmpty && expected == nil ? [cla, ins, p1, p2] : bytes
    }

    private static func pair(_ number: Int) -> [UInt8] {
        [UInt8(truncatingIfNeeded: number >> 8), UInt8(truncatingIfNeeded: number)]
    }

    /// Reads a command in either form; `nil` when its lengths contradict one another.
    package init?(_ bytes: [UInt8]) {
        guard bytes.count >= 4 else { return nil }
        self.init(cla: bytes[0], ins: bytes[1], p1: bytes[2], p2: bytes[3])
        let body = bytes[4...]
        guard let first = body.first else { return }
        if body.count == 1 {
            expected = first == 0 ? 256 : Int(first)
        } else if first != 0 {
            guard readBody(body.dropFirst(), length: Int(first), widthOfExpected: 1) else {
                return nil
            }
        } else if body.count == 3 {
            expected = Self.number(body.dropFirst(), zero: 65536)
        } else {
            guard body.count > 3 else { return nil }
            let length = Self.number(body.dropFirst().prefix(2), zero: 0)
            guard readBody(body.dropFirst(3), length: length, widthOfExpected: 2) else {
                return nil
            }
        }
    }

    /// The data, and what is expected behind them.
    private mutating func readBody(
        _ body: ArraySlice<UInt8>, length: Int, widthOfExpected width: Int
    ) -> Bool {
        guard body.count == length || body.count == length + width else { return false }
        data = Array(body.prefix(length))
        if body.count > length {
            expected = Self.number(body.dropFirst(length), zero: width == 1 ? 256 : 65536)
        }
        return true
    }

    private static func number(_ bytes: ArraySlice<UInt8>, zero: Int) -> Int {
        let number = bytes.reduce(0) { $0 << 8 | Int($1) }
        return number == 0 ? zero : number
    }
}
