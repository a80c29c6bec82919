// SPDX-License-Identifier: Apache-2.0

/// The rules of the public suffix list (version 2026-10-22_08-36-41_UTC), as text with blanks between them: names as
/// in DNS, `*.` for any label, `!` for an exception. Written by Scripts/public-suffixes.
enum PublicSuffixRules {
    /// 10397 rules.
    static var parts: [String] { [part1, part2, part3, part4, part5] }
}
