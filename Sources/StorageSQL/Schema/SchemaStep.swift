// SPDX-License-Identifier: Apache-2.0

/// One numbered step of the schema: exactly one statement. A step that has been released is
/// never changed; the next need is a new step.
///
/// Steps only expand (new tables, new columns with defaults, new indexes) while an older version
/// of the program may still run beside this one; contracting is a step of a later release.
package struct SchemaStep: Sendable {
    package let number: Int
    package let name: String
    /// In the words of ``SQLDialect/spell(_:)``.
    package let statement: String

    package init(number: Int, name: String, statement: String) {
        self.number = number
        self.name = name
        self.statement = statement
    }
}
