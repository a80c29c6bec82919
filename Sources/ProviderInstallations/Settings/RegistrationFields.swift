// SPDX-License-Identifier: Apache-2.0
import AppRegistration
import JOSE
import OAuth
package import ProviderSettings
package import Storage

/// The keys of a project's `registration`: the policy for app installations.
package enum RegistrationFields {
    package static let policy: [RecordField<RegistrationPolicy>] =
        methodsAndSwitches + versions + [listedOnly] + parts

    /// The registration methods of apps, with some flags.
    package static let methodsAndSwitches: [RecordField<RegistrationPolicy>] = [
        methods,
        .flag("test_keys_in_production", .impersonatingWhenOn, \.testKeysInProduction),
        .flag("federated_deregistration", .ordinary, \.federatedDeregistration),
        .flag("second_installations", .impersonating, \.secondInstallations),
        .list("authenticators", .impersonating, \.authenticators, rule: authenticatorKind),
        .list("device_scopes", .ordinary, \.deviceScopes, rule: deviceScope),
    ]

    package static let listedOnly = RecordField<RegistrationPolicy>.flag(
        "listed_applications_only", .ordinary, \.listedApplicationsOnly)

    private static let versions: [RecordField<RegistrationPolicy>] = [
        .parts(
            "applications", \.applications, blank: { AppVersionPolicy() },
            fields: VersionFields.application, named: \.id,
            complaint: { VersionFields.applicationComplaint($0).map { $0.complaint.of($0.key) } }),
        .parts(
            "systems", \.systems, blank: { SystemVersionPolicy() }, fields: VersionFields.system,
            named: \.name,
            complaint: { VersionFields.systemComplaint($0).map { $0.complaint.of($0.key) } }),
    ]

    private static let parts: [RecordField<RegistrationPolicy>] = [
        .parts(
            "identity_providers", \.identityProviders, blank: { CustomProviderSettings() },
            fields: CustomProviderFields.rules, named: \.id,
            complaint: { CustomProviderFields.complaint($0).map { $0.complaint.of($0.key) } }),
        .part(
            "pin", \.pin, blank: { ProjectPINPolicy() }, fields: PINFields.rules,
            complaint: { PINFields.complaint($0).map { $0.complaint.of($0.key) } }),
        .part(
            "approvals", \.approvals, blank: { ApprovalPolicy() }, fields: ApprovalFields.rules),
        .part("apple", \.apple, blank: { AppleAppPolicy() }, fields: AttestedAppFields.apple),
        .part(
            "android", \.android, blank: { AndroidAppPolicy() },
            fields: AttestedAppFields.android),
    ]

    private static let authenticatorKind: TextRule = { text in
        InstallationAuthenticator.isKind(text)
            ? nil : ValidationIssue(.notAuthenticator)
    }

    /// A single scope without personal data.
    private static let deviceScope: TextRule = { text in
        guard let scope = ScopeSet(text), scope.values == [text] else {
            return ValidationIssue(.notOneScope)
        }
        return ScopeSet.personal.contains(text) ? ValidationIssue(.personalScope) : nil
    }

    /// The methods. Earlier names are converted to the current ones.
    private static let methods = RecordField<RegistrationPolicy>(name: "methods", .impersonating) {
        .array($0.methods.map(JSONValue.string))
    } write: { value, policy in
        let offered = RegistrationMethods.all.map(\.method.rawValue)
        switch TextRules.list(
            value,
            rule: { TextRules.oneOf(offered)(AppRegistrationMethod(rawValue: $0).rawValue) })
        {
        case .success(let names):
            policy.methods = names.map { AppRegistrationMethod(rawValue: $0).rawValue }
            return nil
        case .failure(let complaint): return complaint
        }
    }
}
