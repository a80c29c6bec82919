// SPDX-License-Identifier: Apache-2.0

/// A key that a person pressed.
package enum TerminalKey: Sendable, Equatable {
    case text(String)
    case enter
    case backspace
    /// Ctrl-U: the entire input is deleted.
    case clear
    case up
    case down
    /// Esc alone, or Ctrl-C.
    case cancel
    /// Ctrl-D, or the terminal was closed.
    case end
}

/// Turns the bytes of a raw terminal into keys.
///
/// A terminal sends the bytes of one key together, so an Esc with nothing behind it in the same
/// read is the key Esc, and an Esc with more behind it begins a sequence. Sequences that mean
/// nothing here are dropped.
package struct TerminalKeyReader: Sendable {
    /// The bytes of a character that is not whole yet; at most 3.
    private var rest: [UInt8] = []

    package init() {}

    /// The keys in what one read brought.
    package mutating func keys(in bytes: [UInt8]) -> [TerminalKey] {
        var keys: [TerminalKey] = []
        var input = (rest + bytes)[...]
        rest = []
        while let first = input.popFirst() {
            switch first {
            case 0x0D, 0x0A: keys.append(.enter)
            case 0x7F, 0x08: keys.append(.backspace)
            case 0x15: keys.append(.clear)
            case 0x03: keys.append(.cancel)
            case 0x04: keys.append(.end)
            case 0x1B: Self.sequence(&input).map { keys.append($0) }
            case 0x00..<0x20: break
            default:
                if let character = self.character(first, &input) { keys.append(.text(character)) }
            }
        }
        return keys
    }

    /// Parses the sequence after an Esc: `[` or `O`, parameters, and a final byte (ECMA-48 section
    /// 5.4).
    private static func sequence(_ input: inout ArraySlice<UInt8>) -> TerminalKey? {
        guard let second = input.first else { return .cancel }
        guard second == UInt8(ascii: "[") || second == UInt8(ascii: "O") else {
            // Alt with a key: the key is not meant as text.
            input.removeFirst()
            return nil
        }
        input.removeFirst()
        while let byte = input.popFirst() {
            guard 0x40...0x7E ~= byte else { continue }
            return byte == UInt8(ascii: "A") ? .up : byte == UInt8(ascii: "B") ? .down : nil
        }
        return nil
    }

    /// One character of UTF-8; what is not UTF-8 is dropped.
    private mutating func character(
        _ first: UInt8, _ input: inout ArraySlice<UInt8>
    ) -> String? {
        let length =
            switch first {
            case 0x00..<0x80: 1
            case 0xC2..<0xE0: 2
            case 0xE0..<0xF0: 3
            case 0xF0..<0xF5: 4
            default: 0
            }
        guard length > 0 else { return nil }
        let bytes = [first] + input.prefix(length - 1)
        guard bytes.count == length else {
            rest = bytes
            input = []
            return nil
        }
        guard let text = String(validating: bytes, as: UTF8.self) else { return nil }
        input = input.dropFirst(length - 1)
        return text
    }
}
