// SPDX-License-Identifier: Apache-2.0
import ProviderCore
import Storage

extension PageContext {
    /// Whether the visitor has a role in the console, so that pages lead there.
    func mayOpenConsole() async throws -> Bool {
        guard let signedIn, tenant.project.name == AdministratorRoles.homeProject else {
            return false
        }
        return try await !AdministratorRoles.current(of: signedIn.person.id, pages.provider)
            .isEmpty
    }
}
