// SPDX-License-Identifier: Apache-2.0
import Primitives

/// The picture of an authenticator model (`icon` of FIDO Metadata Statements section 4), safe for
/// display on pages of the provider: a small PNG.
///
/// An SVG could contain script, and an external URL would reveal the viewer to its host.
package struct AuthenticatorIcon: Sendable, Equatable {
    /// The file.
    package let png: [UInt8]
    /// In pixels.
    package let width: Int
    package let height: Int

    /// The maximum size of a stored picture, in bytes.
    package static let maximumBytes = 131_072
    /// The longest side, in pixels.
    package static let maximumSide = 2048

    private static let prefix = "data:image/png;base64,"
    private static let signature: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]

    /// - Parameter dataURL: `data:image/png;base64,…`, spelled exactly so (RFC 2397).
    package init?(dataURL: String) {
        let letters = dataURL.utf8
        guard letters.starts(with: Self.prefix.utf8),
            letters.count <= Self.prefix.utf8.count + Self.maximumBytes * 4 / 3 + 4,
            let png = Base64.decode(String(letters.dropFirst(Self.prefix.utf8.count)) ?? "")
        else { return nil }
        self.init(png: png)
    }

    /// Checks the signature and the header chunk (PNG, ISO/IEC 15948, sections 5.2 and 11.2.2).
    package init?(png: [UInt8]) {
        guard png.count <= Self.maximumBytes, png.starts(with: Self.signature), png.count >= 33,
            png[8..<16].elementsEqual([0, 0, 0, 13, 0x49, 0x48, 0x44, 0x52])
        else { return nil }
        let sides = [png[16..<20], png[20..<24]].map {
            $0.reduce(UInt32(0)) { $0 << 8 | UInt32($1) }
        }
        guard sides.allSatisfy({ 1...UInt32(Self.maximumSide) ~= $0 }) else { return nil }
        self.png = png
        width = Int(sides[0])
        height = Int(sides[1])
    }
}
