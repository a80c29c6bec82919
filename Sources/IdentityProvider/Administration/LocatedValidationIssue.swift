// SPDX-License-Identifier: Apache-2.0

/// One thing that is wrong with a state document.
package struct LocatedValidationIssue: Sendable, Equatable, CustomStringConvertible {
    /// Where: `projects[0].clients[2].redirect_uris[0]`; empty for the document itself.
    package var path: String
    /// What is wrong and what would be right. Never a secret.
    package var complaint: ValidationIssue

    package init(path: String, _ complaint: ValidationIssue) {
        self.path = path
        self.complaint = complaint
    }

    package var message: String { complaint.english }

    package var description: String { path.isEmpty ? message : "\(path): \(message)" }
}

/// Why a state document was refused: everything that is wrong with it, at once.
package struct StateDocumentError: Error, Sendable, Equatable {
    /// More are not collected.
    static let mostProblems = 50

    package var problems: [LocatedValidationIssue]

    package init(_ problems: [LocatedValidationIssue]) { self.problems = problems }
}
