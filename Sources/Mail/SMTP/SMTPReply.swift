// SPDX-License-Identifier: Apache-2.0

/// A reply of an SMTP server, RFC 5321 section 4.2.
package struct SMTPReply: Sendable, Equatable {
    /// 200 to 599.
    package let code: Int
    /// The text of each line, without code and line end; bytes outside ASCII are repaired.
    package let lines: [String]

    package init(code: Int, lines: [String]) {
        self.code = code
        self.lines = lines
    }
}
