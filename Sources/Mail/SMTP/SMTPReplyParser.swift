// SPDX-License-Identifier: Apache-2.0

/// A parser of replies, RFC 5321 section 4.2. It is strict and bounded: a line has at most 1024
/// bytes (the standard requires 512), a reply 64 lines, and every line ends with CRLF.
package struct SMTPReplyParser: Sendable {
    private var line: [UInt8] = []
    private var code: Int?
    private var lines: [String] = []

    static let greatestLine = 1024
    static let greatestLines = 64

    package init() {}

    /// Whether there is no incomplete input. It is checked before TLS starts, so that an
    /// unprotected reply is never treated as a protected one.
    package var isEmpty: Bool { line.isEmpty && code == nil }

    /// Adds bytes, and returns the replies that they complete.
    package mutating func receive(_ bytes: some Sequence<UInt8>) throws(SMTPError) -> [SMTPReply] {
        var replies: [SMTPReply] = []
        for byte in bytes {
            line.append(byte)
            guard line.count <= Self.greatestLine else { throw .malformedReply }
            guard byte == 0x0A else { continue }
            if let reply = try endLine() { replies.append(reply) }
        }
        return replies
    }

    /// One line: three digits, then `-` when more lines follow, a space or nothing when not.
    private mutating func endLine() throws(SMTPError) -> SMTPReply? {
        guard line.count >= 5, line[line.count - 2] == 0x0D, let code = Self.code(line.prefix(3)),
            self.code == nil || self.code == code
        else { throw .malformedReply }
        let text = line.dropFirst(3).dropLast(2)
        let separator = text.first
        guard separator == nil || separator == UInt8(ascii: " ") || separator == UInt8(ascii: "-"),
            !text.contains(0), !text.contains(0x0D), lines.count < Self.greatestLines
        else { throw .malformedReply }
        lines.append(String(decoding: text.dropFirst(), as: UTF8.self))
        line.removeAll(keepingCapacity: true)
        self.code = code
        guard separator != UInt8(ascii: "-") else { return nil }
        defer { (self.code, lines) = (nil, []) }
        return SMTPReply(code: code, lines: lines)
    }

    private static func code(_ digits: ArraySlice<UInt8>) -> Int? {
        var code = 0
        for digit in digits {
            guard (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(digit) else { return nil }
            code = code * 10 + Int(digit - UInt8(ascii: "0"))
        }
        return (200...599).contains(code) ? code : nil
    }
}
