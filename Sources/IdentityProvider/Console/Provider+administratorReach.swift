// SPDX-License-Identifier: Apache-2.0
import Primitives
import Storage

extension Provider {
    /// Whether somebody administers more than that project. Whoever may set up a project says whose
    /// word counts in it (issuers' keys, the operator's own services): that word is not enough for
    /// people who reach further, or it would give their powers away.
    func administersMore(
        than project: Identifier<Project>, _ person: Identifier<Person>
    ) async throws -> Bool {
        try await store.administration(of: person).contains {
            $0.project != project || $0.role == .owner
        }
    }
}
