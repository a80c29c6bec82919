// SPDX-License-Identifier: Apache-2.0

/// Statements without arguments on the database of a store, for cases that write what another
/// version writes.
package struct DatabaseStatements: Sendable {
    /// Runs a statement that changes rows.
    let change: @Sendable (String) async throws -> Void
    /// Returns the first text of a query.
    let text: @Sendable (String) async throws -> String

    package init(
        change: @escaping @Sendable (String) async throws -> Void,
        text: @escaping @Sendable (String) async throws -> String
    ) {
        (self.change, self.text) = (change, text)
    }
}
