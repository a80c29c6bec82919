// SPDX-License-Identifier: Apache-2.0

/// Texts that begin with another one: they are compared byte by byte, so they lie next to one
/// another.
struct PrefixRange {
    /// The first text, or the one after which the list continues.
    let begin: String
    /// The upper bound of all texts: the prefix with the greatest character.
    let end: String
    /// Whether ``begin`` is the last one returned.
    let goesOn: Bool

    /// - Parameter last: The last one returned; `nil` for the beginning.
    init(_ prefix: String, after last: String? = nil) {
        end = prefix + "\u{10FFFF}"
        // A position before the prefix is not a position in the range.
        let place = last.flatMap { $0.utf8.lexicographicallyPrecedes(prefix.utf8) ? nil : $0 }
        begin = place ?? prefix
        goesOn = place != nil
    }
}
