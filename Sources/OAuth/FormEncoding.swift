// SPDX-License-Identifier: Apache-2.0
import Primitives

/// application/x-www-form-urlencoded, as RFC 6749 appendix B uses it.
package enum FormEncoding {
    /// Returns `text` with everything but RFC 3986's unreserved characters percent-encoded.
    package static func encode(_ text: String) -> String { PercentEncoding.encode(text) }

    /// Returns `name=value&name=value`.
    package static func encode(_ parameters: [(name: String, value: String)]) -> String {
        var output: [UInt8] = []
        for (index, parameter) in parameters.enumerated() {
            if index > 0 { output.append(UInt8(ascii: "&")) }
            PercentEncoding.append(parameter.name, to: &output)
            output.append(UInt8(ascii: "="))
            PercentEncoding.append(parameter.value, to: &output)
        }
        return String(decoding: output, as: UTF8.self)
    }

    /// Returns the decoded text, `nil` for an incomplete escape, invalid UTF-8 or NUL.
    package static func decode(_ bytes: some Collection<UInt8>) -> String? {
        PercentEncoding.decode(form: Array(bytes)[...])
    }
}
