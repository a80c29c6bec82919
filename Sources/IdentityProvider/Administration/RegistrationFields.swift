// SPDX-License-Identifier: Apache-2.0
import AppRegistration
import JOSE
import Storage

/// The keys of a project's `registration`: rules for app installations.
enum RegistrationFields {
    static let policy: [RecordField<RegistrationPolicy>] = [
        methods,
        .flag("test_keys_in_production", \.testKeysInProduction),
        .flag("federated_deregistration", \.federatedDeregistration),
    ]

    /// Kept under the names of today, whatever they were called.
    private static let methods = RecordField<RegistrationPolicy>(name: "methods") {
        .array($0.methods.map(JSONValue.string))
    } write: { value, policy in
        let offered = RegistrationMethods.all.map(\.method.rawValue)
        switch TextRules.list(
            value,
            rule: { TextRules.oneOf(offered)(RegistrationMethod(rawValue: $0).rawValue) })
        {
        case .success(let names):
            policy.methods = names.map { RegistrationMethod(rawValue: $0).rawValue }
            return nil
        case .failure(let complaint): return complaint.message
        }
    }
}
