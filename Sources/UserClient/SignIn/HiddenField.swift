// SPDX-License-Identifier: Apache-2.0
/// The value of a hidden field in a page of the provider. Its values are Base64url, so they contain
/// no HTML escapes.
package enum HiddenField {
    package static func value(of name: String, in page: [UInt8]) -> String? {
        let text = String(decoding: page, as: UTF8.self)
        let start = "<input type=\"hidden\" name=\"\(name)\" value=\""
        var rest = text[...]
        while !rest.isEmpty, !rest.hasPrefix(start) {
            rest = rest.dropFirst().drop { $0 != "<" }
        }
        guard !rest.isEmpty else { return nil }
        let value = rest.dropFirst(start.count).prefix { $0 != "\"" }
        let isPlain = value.utf8.allSatisfy { letter in
            UInt8(ascii: "a")...UInt8(ascii: "z") ~= letter
                || UInt8(ascii: "A")...UInt8(ascii: "Z") ~= letter
                || UInt8(ascii: "0")...UInt8(ascii: "9") ~= letter
                || letter == UInt8(ascii: "-") || letter == UInt8(ascii: "_")
        }
        return isPlain && !value.isEmpty && value.utf8.count <= 512 ? String(value) : nil
    }
}
