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
        .list("app_ids", \.appIDs, rule: appID),
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

    /// `TEAMID1234.com.example.app`: ten capital letters or digits, and a bundle identifier.
    private static let appID: TextRule = { text in
        let parts = text.split(separator: ".", maxSplits: 1, omittingEmptySubsequences: false)
        let isTeam: (Substring) -> Bool = { team in
            team.utf8.count == 10
                && team.utf8.allSatisfy { (0x30...0x39).contains($0) || (0x41...0x5A).contains($0) }
        }
        let isBundle: (Substring) -> Bool = { bundle in
            !bundle.isEmpty
                && bundle.utf8.allSatisfy {
                    (0x30...0x39).contains($0) || (0x41...0x5A).contains($0)
                        || (0x61...0x7A).contains($0) || $0 == 0x2D || $0 == 0x2E
                }
        }
        return parts.count == 2 && isTeam(parts[0]) && isBundle(parts[1])
            ? nil : "must be an app identifier such as ABCDE12345.com.example.app"
    }
}
