// SPDX-License-Identifier: Apache-2.0
package import ProviderCore
package import ProviderSettings

/// The reason why an administrative action was not performed. The resource is unchanged.
package struct AdministrativeRefusal: Error, Sendable {
    /// The kind, from which an endpoint derives its status.
    package enum Kind: Sendable {
        /// A parameter of the call cannot be read.
        case malformed
        /// A resource that the call names does not exist.
        case unknown
        /// A value of the call is not valid.
        case invalid
        /// The current state does not allow the action.
        case conflict
        /// A condition of the call (``SaveCondition``) is not met.
        case precondition
        /// The caller has no right to perform the action.
        case forbidden
    }

    package let kind: Kind
    /// Stable, in lower case.
    package let code: String
    /// One sentence for the administrator.
    package let message: String
    package let issues: [LocatedValidationIssue]

    package init(
        _ kind: Kind, _ code: String, _ message: String, issues: [LocatedValidationIssue] = []
    ) {
        self.kind = kind
        self.code = code
        self.message = message
        self.issues = issues
    }

    package init(_ kind: Kind, _ refusal: Refusal) {
        self.init(kind, refusal.code, refusal.message)
    }
}

/// The result of an administrative action.
package typealias AdministrativeResult<Value> = Result<Value, AdministrativeRefusal>

extension AdministrativeRefusal {
    /// - Parameter resource: the kind of resource, with `_` between words.
    package static func unknown(_ resource: String) -> AdministrativeRefusal {
        AdministrativeRefusal(
            .unknown, "unknown_\(resource)",
            "There is no such \(resource.replacing("_", with: " ")).")
    }

    /// RFC 9110 section 13.1.2.
    package static let exists = AdministrativeRefusal(
        .precondition, "exists_already",
        "A resource of that name exists. It was not changed.")
    package static let changedSince = AdministrativeRefusal(
        .precondition, "changed_since",
        "The resource was changed by another request. It was not changed by this one.")
    package static let notAllowed = AdministrativeRefusal(
        .forbidden, "not_allowed", "Your role does not allow this.")
    package static let lastOwner = AdministrativeRefusal(.conflict, AdministratorRoles.lastOwner)

    package static func invalid(_ code: String, _ message: String) -> AdministrativeRefusal {
        AdministrativeRefusal(.invalid, code, message)
    }

    package static func invalid(_ error: StateDocumentError) -> AdministrativeRefusal {
        AdministrativeRefusal(
            .invalid, "invalid_state",
            "The document was refused: \(error.problems.first?.description ?? "it is empty")",
            issues: error.problems)
    }

    static func conflict(_ code: String, _ message: String) -> AdministrativeRefusal {
        AdministrativeRefusal(.conflict, code, message)
    }
}
