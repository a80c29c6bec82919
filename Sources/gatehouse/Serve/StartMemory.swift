// SPDX-License-Identifier: Apache-2.0
import Foundation
import Platform
import Primitives

/// Gives back what only the start needed.
///
/// Starting touches most of the program's file once: conformances are looked up, libraries
/// initialised. Those pages count as resident until the kernel wants them back. Here they are
/// dropped by hand: code and constants come back from the page cache, page by page, when they are
/// used again.
enum StartMemory {
    /// Drops the pages of files that are mapped unwritable and unchanged. Does nothing where the
    /// system cannot say which those are.
    static func release() {
        #if os(Linux)
            guard let maps = try? String(contentsOfFile: "/proc/self/smaps", encoding: .utf8) else {
                return
            }
            for range in unchangedFileRanges(smaps: maps) {
                guard let start = UnsafeMutableRawPointer(bitPattern: range.lowerBound) else {
                    continue
                }
                ProcessMemory.dropPages(start, Int(clamping: range.count))
            }
        #endif
    }

    /// The address ranges of `smaps` that are private, not writable, backed by a file, and of
    /// which no page is the process's own (relocated data has such pages, and must stay).
    static func unchangedFileRanges(smaps: String) -> [Range<UInt>] {
        var ranges: [Range<UInt>] = []
        var candidate: Range<UInt>?
        for line in smaps.split(separator: "\n") {
            if let range = mapping(line) {
                candidate = isFileUnwritable(line) ? range : nil
            } else if line.hasPrefix("Anonymous:") {
                if let found = candidate, line.split(separator: " ").dropFirst().first == "0" {
                    ranges.append(found)
                }
                candidate = nil
            }
        }
        return ranges
    }

    /// The range of a line that begins a mapping: `7f01a000-7f01b000 r-xp 00000000 fe:00 42 /x`.
    private static func mapping(_ line: Substring) -> Range<UInt>? {
        let ends = line.prefix { $0 != " " }.split(separator: "-")
        guard ends.count == 2, let lower = Hexadecimal.number(ends[0]).map(UInt.init),
            let upper = Hexadecimal.number(ends[1]).map(UInt.init), lower < upper
        else { return nil }
        return lower..<upper
    }

    private static func isFileUnwritable(_ line: Substring) -> Bool {
        let fields = line.split(separator: " ", maxSplits: 5)
        return fields.count == 6 && ["r--p", "r-xp"].contains(fields[1])
            && fields[5].drop { $0 == " " }.hasPrefix("/")
    }
}
