// SPDX-License-Identifier: Apache-2.0
import JOSE
import Storage

/// The keys of a project's `platform_sso`: rules for machines that sign people in.
enum PlatformSSOFields {
    static let policy: [RecordField<PlatformSSOPolicy>] = [
        .flag("enabled", \.enabled),
        .text("client_id", \.clientID, rule: TextRules.clientID),
        .text("audience", \.audience),
        .list(
            "allowed_methods", \.allowedMethods,
            rule: TextRules.oneOf(DeviceUser.Method.allCases.map(\.rawValue))),
        .flag("encrypted_password", \.encryptedPassword),
        // The payload's LoginFrequency has the same least value.
        .seconds("login_frequency", \.loginFrequency, in: 3600...31_622_400),
        .flag("registration_by_people", \.registrationByPeople),
        .seconds("unlock_key_lifetime", \.unlockKeyLifetime, in: 86_400...158_112_000),
    ]

    /// What single keys cannot tell: do they go together?
    static func complaint(_ policy: PlatformSSOPolicy) -> (key: String, message: String)? {
        if policy.enabled, policy.allowedMethods.isEmpty {
            return ("allowed_methods", "is empty; nobody could sign in")
        }
        if policy.encryptedPassword, !policy.allowedMethods.contains("password") {
            return ("encrypted_password", "needs password among allowed_methods")
        }
        return nil
    }
}
