// SPDX-License-Identifier: Apache-2.0

/// The model identifier of an authenticator (section 6.5.1): 16 bytes, all zero if it states none.
package struct AAGUID: Sendable, Hashable, CustomStringConvertible {
    package let bytes: [UInt8]

    package init?(_ bytes: some Collection<UInt8>) {
        guard bytes.count == 16 else { return nil }
        self.bytes = Array(bytes)
    }

    /// Reads the usual form with hyphens, in lower or upper case.
    package init?(_ text: String) {
        let groups = text.split(separator: "-", omittingEmptySubsequences: false)
        guard groups.map(\.utf8.count) == [8, 4, 4, 4, 12],
            let bytes = Hexadecimal.decode(groups.joined())
        else { return nil }
        self.init(bytes)
    }

    package var isZero: Bool { bytes.allSatisfy { $0 == 0 } }

    /// The usual form, `ee882879-721c-4913-9775-3dfcce97072a`.
    package var description: String {
        let digits = Array("0123456789abcdef".utf8)
        var letters: [UInt8] = []
        for (index, byte) in bytes.enumerated() {
            if [4, 6, 8, 10].contains(index) { letters.append(UInt8(ascii: "-")) }
            letters.append(digits[Int(byte >> 4)])
            letters.append(digits[Int(byte & 15)])
        }
        return String(decoding: letters, as: UTF8.self)
    }
}
