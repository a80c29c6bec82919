// SPDX-License-Identifier: Apache-2.0
import Primitives

/// The name of the account that a machine makes for somebody (`TokenToUserMapping` of the payload):
/// what stands before the `@` of the user name, in letters that every system takes.
package enum AccountName {
    private static let greatestLength = 31

    /// Lower-case ASCII letters, digits, `_`, `-` and inner dots, a letter first; `nil` when nothing
    /// of the kind is left.
    package static func derived(from username: String) -> String? {
        let local = username.prefix { $0 != "@" }
        let letters = local.unicodeScalars.map { scalar -> Character in
            let isPlain =
                ("a"..."z").contains(scalar) || ("0"..."9").contains(scalar) || scalar == "."
                || scalar == "_" || scalar == "-"
            return isPlain ? Character(scalar) : "-"
        }
        let name = letters.drop { !("a"..."z").contains($0) }.prefix(greatestLength)
        let end = name.lastIndex { $0 != "." && $0 != "-" }
        return end.map { String(name[...$0]) }
    }
}
