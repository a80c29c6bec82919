// SPDX-License-Identifier: Apache-2.0
package import JOSE

/// A finding about a profile for its author: the issue, its location and the remedy.
package struct ProfileIssue: Sendable, Equatable {
    package enum Severity: String, Sendable, Comparable, CaseIterable {
        /// Information.
        case note
        /// The profile installs, but not all of its settings take effect.
        case warning
        /// The profile, or this part of it, does not work.
        case error

        package static func < (left: Severity, right: Severity) -> Bool {
            left.rank < right.rank
        }

        private var rank: Int {
            switch self {
            case .note: 0
            case .warning: 1
            case .error: 2
            }
        }
    }

    package let severity: Severity
    /// A stable identifier for people and scripts.
    package let code: Code
    /// The path, such as `PayloadContent[0].PlatformSSO.LoginFrequency`; empty for the whole.
    package let path: String
    /// The byte offset of the finding.
    package let offset: Int
    package let problem: String
    /// The remedy; empty if there is none.
    package let remedy: String

    package init(
        _ severity: Severity, _ code: Code, path: String, offset: Int, _ problem: String,
        remedy: String = ""
    ) {
        self.severity = severity
        self.code = code
        self.path = path
        self.offset = offset
        self.problem = problem
        self.remedy = remedy
    }

    /// - Parameter place: Of the offset, in the document.
    package func json(at place: PropertyListDocument.Position) -> JSONValue {
        var object: JSONObject = JSONObject([
            JSONObject.Member(name: "severity", value: .string(severity.rawValue)),
            JSONObject.Member(name: "code", value: .string(code.rawValue)),
            JSONObject.Member(name: "path", value: .string(path)),
            JSONObject.Member(name: "where", value: place.json),
            JSONObject.Member(name: "problem", value: .string(problem)),
        ])
        if !remedy.isEmpty { object["remedy"] = .string(remedy) }
        return .object(object)
    }
}

extension PropertyListDocument.Position {
    /// `{"line","column"}` or `{"offset"}`.
    package var json: JSONValue {
        switch self {
        case .text(let line, let column):
            ["line": .integer(Int64(line)), "column": .integer(Int64(column))]
        case .byte(let offset): ["offset": .integer(Int64(offset))]
        }
    }
}
