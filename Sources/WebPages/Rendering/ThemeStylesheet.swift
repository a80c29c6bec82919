// SPDX-License-Identifier: Apache-2.0
package import Storage

/// A style sheet with the colours of a project, so that pages need no inline style.
///
/// It contains only colours of the form `#rrggbb` and omits other values.
package enum ThemeStylesheet {
    /// Returns `nil` if the project has the default colours.
    package static func css(for theme: Theme) -> String? {
        let accent = theme.accent.flatMap(Colour.init)
        let background = theme.background.flatMap(Colour.init)
        guard accent != nil || background != nil else { return nil }
        return light(accent, background) + dark(accent, background)
    }

    private static func light(_ accent: Colour?, _ background: Colour?) -> String {
        var rules = ""
        if let accent {
            rules += "--accent:\(accent.text);--on-accent:\(accent.isDark ? "#ffffff" : "#16181d");"
            // Links in a pale accent could not be read on white.
            if !accent.isDark { rules += "--link:color-mix(in oklab,\(accent.text) 55%,#101010);" }
        }
        if let background { rules += "--page:\(background.text);" }
        return "@media (prefers-color-scheme:light){:root{\(rules)}}\n"
    }

    private static func dark(_ accent: Colour?, _ background: Colour?) -> String {
        var rules = ""
        if let accent {
            rules += "--accent:\(accent.text);--on-accent:\(accent.isDark ? "#ffffff" : "#16181d");"
            rules += "--link:color-mix(in oklab,\(accent.text) 50%,#f4f4f4);"
        }
        if let background {
            rules += "--page:color-mix(in oklab,\(background.text) 8%,#101113);"
        }
        return "@media (prefers-color-scheme:dark){:root{\(rules)}}\n"
    }

    /// `#rrggbb`.
    package struct Colour: Sendable, Equatable {
        package let text: String
        /// Whether white text has a higher contrast on it than black text (WCAG 2.2 luminance).
        package let isDark: Bool

        package init?(_ text: String) {
            let letters = Array(text.utf8)
            guard letters.count == 7, letters[0] == UInt8(ascii: "#") else { return nil }
            let digits = letters.dropFirst().compactMap(Self.digit)
            guard digits.count == 6 else { return nil }
            self.text = text.lowercased()
            let channels = [0, 2, 4].map { Self.linear(Double(digits[$0] << 4 | digits[$0 + 1])) }
            let luminance = 0.2126 * channels[0] + 0.7152 * channels[1] + 0.0722 * channels[2]
            isDark = 1.05 / (luminance + 0.05) >= (luminance + 0.05) / 0.05
        }

        /// The sRGB curve, near enough for a choice between two.
        private static func linear(_ channel: Double) -> Double {
            let value = channel / 255
            return value * value * (0.2 + 0.8 * value)
        }

        private static func digit(_ letter: UInt8) -> Int? {
            switch letter {
            case UInt8(ascii: "0")...UInt8(ascii: "9"): Int(letter - UInt8(ascii: "0"))
            case UInt8(ascii: "a")...UInt8(ascii: "f"): Int(letter - UInt8(ascii: "a")) + 10
            case UInt8(ascii: "A")...UInt8(ascii: "F"): Int(letter - UInt8(ascii: "A")) + 10
            default: nil
            }
        }
    }
}
