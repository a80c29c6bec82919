// SPDX-License-Identifier: Apache-2.0

/// An issue of a state document with its path.
package struct LocatedValidationIssue: Sendable, Equatable, CustomStringConvertible {
    /// The path: `projects[0].clients[2].redirect_uris[0]`; empty for the document itself.
    package var path: String
    /// The issue: what is wrong and what would be right. It never contains a secret.
    package var complaint: ValidationIssue

    package init(path: String, _ complaint: ValidationIssue) {
        self.path = path
        self.complaint = complaint
    }

    package var message: String { complaint.english }

    package var description: String { path.isEmpty ? message : "\(path): \(message)" }
}

/// The refusal of a state document, with all issues.
package struct StateDocumentError: Error, Sendable, Equatable {
    /// Maximum number of collected issues.
    static let maximumIssues = 50

    package var problems: [LocatedValidationIssue]

    package init(_ problems: [LocatedValidationIssue]) { self.problems = problems }
}
