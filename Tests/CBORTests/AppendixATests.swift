// SPDX-License-Identifier: Apache-2.0
import CBOR
import Foundation
import Testing

/// RFC 8949 appendix A, from ../shared/vectors. A separate clone has no such directory, and then
/// these are skipped; other suites cover the same forms.
@Suite struct AppendixATests {
    struct Example: Codable, Sendable, CustomTestStringConvertible {
        let hex: String
        let roundtrip: Bool
        let diagnostic: String?

        var testDescription: String { hex }
    }

    static let file = URL(filePath: #filePath).deletingLastPathComponent()
        .deletingLastPathComponent().deletingLastPathComponent()
        .appending(path: "../shared/vectors/cbor-rfc8949-appendix-a.json").standardizedFileURL

    /// `f818` came from RFC 7049; RFC 8949 took it out of appendix A and lists it in appendix F
    /// among what is not well-formed.
    static let withdrawn = "f818"

    static let all: [Example] =
        (try? JSONDecoder().decode([Example].self, from: Data(contentsOf: file))) ?? []

    static let examples = all.filter { $0.hex != withdrawn }

    @Test("Every example is there", .enabled(if: !examples.isEmpty))
    func count() {
        #expect(Self.all.count == 82)
        #expect(Self.examples.count == 81)
    }

    @Test(
        "An example is accepted under rfc8949", .enabled(if: !examples.isEmpty), arguments: examples
    )
    func accepted(_ example: Example) throws {
        let value = try CBORValue.decode(hex(example.hex), profile: .rfc8949)
        if let diagnostic = example.diagnostic { #expect(value.diagnostic == diagnostic) }
    }

    @Test(
        "An example in deterministic form encodes to itself", .enabled(if: !examples.isEmpty),
        arguments: examples.filter(\.roundtrip))
    func roundTrip(_ example: Example) throws {
        let value = try CBORValue.decode(hex(example.hex), profile: .rfc8949)
        #expect(value.encoded() == hex(example.hex))
    }

    @Test(
        "Every example cut short is refused", .enabled(if: !examples.isEmpty), arguments: examples)
    func cutShort(_ example: Example) {
        let bytes = hex(example.hex)
        for length in 0..<bytes.count {
            #expect(throws: CBORError.self) {
                try CBORValue.decode(bytes[..<length], profile: .rfc8949)
            }
        }
    }

    @Test(
        "Every example with a byte behind it is refused", .enabled(if: !examples.isEmpty),
        arguments: examples)
    func trailing(_ example: Example) {
        #expect(throws: CBORError(.trailingBytes, at: 0)) {
            try CBORValue.decode(hex(example.hex) + [0], profile: .rfc8949)
        }
    }
}
