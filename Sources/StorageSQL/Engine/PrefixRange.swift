// SPDX-License-Identifier: Apache-2.0

/// Texts that begin with another one: they are compared byte by byte, so they lie next to one
/// another.
struct PrefixRange {
    /// The first of them, or where they go on.
    let begin: String
    /// Before it lie all of them: with the greatest character there is behind.
    let end: String
    /// Whether ``begin`` is one that was seen.
    let goesOn: Bool

    /// - Parameter last: the one that was seen last; `nil` from the beginning.
    init(_ prefix: String, after last: String? = nil) {
        end = prefix + "\u{10FFFF}"
        // One that lies before them all is no place among them.
        let place = last.flatMap { $0.utf8.lexicographicallyPrecedes(prefix.utf8) ? nil : $0 }
        begin = place ?? prefix
        goesOn = place != nil
    }
}
