// SPDX-License-Identifier: Apache-2.0
import CPKCS11

/// A token that is there: a smart card in its reader, or a part of a hardware module.
package struct Token: Sendable, Hashable {
    /// The known state of the remaining attempts.
    package enum PINState: Sendable, Hashable {
        case untouched
        /// A wrong PIN was entered since the last correct one.
        case low
        /// The next wrong one locks it.
        case finalTry
        case locked
    }

    package let label: String
    package let serialNumber: String
    package let pinState: PINState
    /// Whether the PIN is entered at the reader and is unknown to this process.
    package let hasPINPad: Bool
    let isInitialized: Bool
    let slot: UInt

    init(_ info: CK_TOKEN_INFO, slot: UInt) {
        label = withUnsafeBytes(of: info.label) { Self.text($0) }
        serialNumber = withUnsafeBytes(of: info.serial_number) { Self.text($0) }
        hasPINPad = info.flags & Cryptoki.TokenFlag.pinPad != 0
        isInitialized = info.flags & Cryptoki.TokenFlag.initialized != 0
        self.slot = slot
        pinState =
            if info.flags & Cryptoki.TokenFlag.pinLocked != 0 {
                .locked
            } else if info.flags & Cryptoki.TokenFlag.pinFinalTry != 0 {
                .finalTry
            } else if info.flags & Cryptoki.TokenFlag.pinCountLow != 0 { .low } else { .untouched }
    }

    /// The same card may return in another slot, with another state.
    func isSame(as other: Token) -> Bool {
        label == other.label && serialNumber == other.serialNumber
    }

    /// UTF-8, padded with blanks; some modules end it with a zero.
    private static func text(_ bytes: UnsafeRawBufferPointer) -> String {
        let text = bytes.prefix { $0 != 0 }
        let end = text.lastIndex { $0 != 0x20 }.map { $0 + 1 } ?? text.startIndex
        return String(decoding: text[text.startIndex..<end], as: UTF8.self)
    }
}
