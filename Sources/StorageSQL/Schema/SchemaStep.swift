// SPDX-License-Identifier: Apache-2.0

/// One numbered step of the schema: exactly one statement. A released step is never changed;
/// further changes are new steps.
///
/// Steps only expand (new tables, new columns with defaults, new indexes), because an older version
/// of the program may still run concurrently. Contraction is a step of a later release, together
/// with one that raises the oldest supported version (``ClusterSchema``).
package struct SchemaStep: Sendable {
    package let number: Int
    package let name: String
    /// With the placeholders of ``SQLDialect/spell(_:)``.
    package let statement: String
    /// The index that the step adds to a table which may be large; `nil` for other steps.
    package let index: AddedIndex?

    /// PostgreSQL builds it while others write (``ConcurrentIndexBuild``), except in a new
    /// database, whose tables are empty.
    package struct AddedIndex: Sendable {
        package let name: String
        let isUnique: Bool
        /// Table, columns and condition.
        let target: String

        func statement(_ options: String = "") -> String {
            "CREATE \(isUnique ? "UNIQUE " : "")INDEX \(options)\(name) ON \(target)"
        }
    }

    package init(number: Int, name: String, statement: String) {
        self.number = number
        self.name = name
        self.statement = statement
        index = nil
    }

    private init(_ number: Int, _ index: AddedIndex) {
        self.number = number
        name = index.name
        statement = index.statement()
        self.index = index
    }

    /// A step that adds an index to an existing table.
    ///
    /// - Parameter target: Table, columns and condition: `people (project_id, origin)`.
    package static func index(
        _ number: Int, _ name: String, isUnique: Bool = false, on target: String
    ) -> SchemaStep {
        SchemaStep(number, AddedIndex(name: name, isUnique: isUnique, target: target))
    }

    /// Every step, in the order of the numbers.
    package static let all: [SchemaStep] = [
        ProviderSchema.steps, DevicesSchema.steps, UpstreamSchema.steps,
        EntitlementsSchema.steps, AdministratorsSchema.steps, DeviceComplianceSchema.steps,
        RegistrationSchema.steps, AuthenticatorsSchema.steps, ApprovalsSchema.steps,
        APITokensSchema.steps, DeviceLookupsSchema.steps, SessionOriginsSchema.steps,
        GroupsSchema.steps, SilentRealmsSchema.steps, AuditSchema.auditByMachine,
        AskingDeviceSchema.steps, DeviceSearchSchema.steps, AuditSchema.auditSearch,
        TokenSearchSchema.steps, AuditSchema.auditByAction, NamesSchema.shownNames,
        NamesSchema.accountNames, DeviceProofsSchema.steps, AwaitedApprovalsSchema.steps,
        InvitationsSchema.steps, NamesSchema.personSearch, NamesSchema.heldNames,
        AuditSchema.auditByRequest, ConditionColumnsSchema.steps, RealmsSchema.steps,
        ClusterSchema.steps, AuditSchema.auditRefusedOfClient,
    ].flatMap(\.self).sorted { $0.number < $1.number }

    static func step(_ number: Int, _ name: String, _ statement: String) -> SchemaStep {
        SchemaStep(number: number, name: name, statement: statement)
    }
}
