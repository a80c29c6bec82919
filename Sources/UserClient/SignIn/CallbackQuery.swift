// SPDX-License-Identifier: Apache-2.0
import OAuth

/// The parameters of a redirect to `/callback` (RFC 6749 section 4.1.2); none may be repeated
/// (section 3.1).
package enum CallbackQuery {
    /// Returns `nil` for another path, a repeated parameter, more than sixteen parameters, or an
    /// invalid encoding.
    package static func read(target: String) -> [String: String]? {
        let path = "/callback?"
        guard target.hasPrefix(path), target.utf8.count <= 8192 else { return nil }
        let pairs = target.utf8.dropFirst(path.utf8.count).split(separator: UInt8(ascii: "&"))
        guard pairs.count <= 16 else { return nil }
        var parameters: [String: String] = [:]
        for pair in pairs {
            let parts = pair.split(
                separator: UInt8(ascii: "="), maxSplits: 1, omittingEmptySubsequences: false)
            guard let name = parts.first.flatMap({ FormEncoding.decode($0) }), !name.isEmpty,
                let value = parts.count == 2 ? FormEncoding.decode(parts[1]) : "",
                parameters.updateValue(value, forKey: name) == nil
            else { return nil }
        }
        return parameters
    }
}
