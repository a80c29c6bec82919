// SPDX-License-Identifier: Apache-2.0

/// One numbered step of the schema: exactly one statement. A released step is never changed;
/// further changes are new steps.
///
/// Steps only expand (new tables, new columns with defaults, new indexes), because an older version
/// of the program may still run concurrently. Contraction is a step of a later release.
package struct SchemaStep: Sendable {
    package let number: Int
    package let name: String
    /// With the placeholders of ``SQLDialect/spell(_:)``.
    package let statement: String

    package init(number: Int, name: String, statement: String) {
        self.number = number
        self.name = name
        self.statement = statement
    }
}
