// SPDX-License-Identifier: Apache-2.0
import CQREncode

/// A QR code (ISO/IEC 18004) for a terminal, computed by libqrencode.
struct QRCode: Equatable {
    /// Modules on one side, without the margin.
    let width: Int
    private let dark: [Bool]

    /// `nil` when the text is empty, holds a NUL or is longer than a code of correction level L
    /// can be.
    init?(_ text: String) {
        guard !text.isEmpty, text.utf8.count <= 512, !text.utf8.contains(0),
            let code = QRcode_encodeString(text, 0, QR_ECLEVEL_L, QR_MODE_8, 1)
        else { return nil }
        defer { QRcode_free(code) }
        guard let data = code.pointee.data, code.pointee.width > 0 else { return nil }
        width = Int(code.pointee.width)
        // The lowest bit of each byte is the colour.
        dark = UnsafeBufferPointer(start: data, count: width * width).map { $0 & 1 == 1 }
    }

    func isDark(row: Int, column: Int) -> Bool {
        (0..<width).contains(row) && (0..<width).contains(column) && dark[row * width + column]
    }

    /// How many columns ``terminalText(indent:)`` takes, without the indent.
    var columns: Int { width + 2 * Self.margin }

    /// Readers accept two modules.
    private static let margin = 2

    /// Returns the code in half-block characters, two rows in each line. It sets black and white
    /// explicitly, so that light and dark terminals display it in the same way.
    func terminalText(indent: Int) -> String {
        let margin = Self.margin
        let space = String(repeating: " ", count: indent)
        return stride(from: -margin, to: width + margin, by: 2).map { row in
            let cells = (-margin..<(width + margin)).map { column in
                switch (isDark(row: row, column: column), isDark(row: row + 1, column: column)) {
                case (true, true): "█"
                case (true, false): "▀"
                case (false, true): "▄"
                case (false, false): " "
                }
            }
            return "\(space)\u{1B}[38;5;16;48;5;231m\(cells.joined())\u{1B}[0m"
        }.joined(separator: "\n")
    }
}
