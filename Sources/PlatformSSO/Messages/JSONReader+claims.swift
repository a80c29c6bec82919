// SPDX-License-Identifier: Apache-2.0
package import JOSE
package import Primitives

extension JSONReader<PlatformSSORefusal> {
    /// Creates a reader of a message or a configuration.
    ///
    /// - Throws: `claimMissing`, `claimMalformed`.
    package init(_ object: JSONObject) {
        self.init(object) { error in
            switch error.reason {
            case .missing: PlatformSSORefusal(.claimMissing, "\(error.member) is missing")
            case .malformed:
                PlatformSSORefusal(.claimMalformed, "\(error.member) is not \(error.expected)")
            case .unknown: PlatformSSORefusal(.claimMalformed, error.description)
            }
        }
    }
}

extension JSONForm<String> {
    /// A string of 1 to `maximumBytes` bytes without control characters.
    static func shortText(_ maximumBytes: Int) -> JSONForm {
        .string(1...maximumBytes).map("short text") { text in
            text.utf8.allSatisfy { $0 >= 0x20 && $0 != 0x7F } ? text : nil
        }
    }
}

extension JSONForm<Secret> {
    package static var shortSecret: JSONForm<Secret> {
        JSONForm<String>.string(1...16_384).map("a short string") { Secret($0) }
    }
}

extension JSONForm<[UInt8]> {
    /// That number of characters of Base64 in either alphabet, padded or not.
    package static func base64(_ length: ClosedRange<Int>) -> JSONForm {
        JSONForm<String>.string(length).map("base64") { LenientBase64.decode($0) }
    }
}
