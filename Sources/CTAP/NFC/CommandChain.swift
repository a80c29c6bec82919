// SPDX-License-Identifier: Apache-2.0

/// Splits a command that does not fit one short APDU (ISO/IEC 7816-4 section 5.1.1.1).
package enum CommandChain {
    /// The bit of CLA for "more follows".
    package static let moreFollows: UInt8 = 0x10

    /// Short APDUs of at most 255 bytes of data each; only the last expects a response.
    package static func split(_ command: CommandAPDU) -> [CommandAPDU] {
        var parts: [CommandAPDU] = []
        var rest = command.data[...]
        while rest.count > 255 {
            var part = command
            part.cla |= moreFollows
            part.data = Array(rest.prefix(255))
            part.expected = nil
            parts.append(part)
            rest = rest.dropFirst(255)
        }
        var last = command
        last.data = Array(rest)
        last.expected = command.expected.map { min($0, 256) }
        return parts + [last]
    }
}
