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
    ].flatMap(\.self).sorted { $0.number < $1.number }

    static func step(_ number: Int, _ name: String, _ statement: String) -> SchemaStep {
        SchemaStep(number: number, name: name, statement: statement)
    }
}
