// SPDX-License-Identifier: Apache-2.0
import IdentityProvider

extension ConsoleRulesPage {
    /// The settings for the registration of apps, and the attestation that they require.
    static let appRegistration = ConsoleRulesPage(
        part: "app-registration", see: .seeAppRegistration, change: .changeAppRegistration,
        isGrave: true, settings: [methods, apple, android, associatedApps])

    private static let methods = ConsoleSettings(
        name: "methods", operation: "RegistrationPolicy",
        fields: [
            ConsoleField(
                "methods", "consoleMethods",
                .boxes([
                    "signedJWT", "testKey", "oidc", "customOneStep", "customTwoStep", "appAttest",
                    "deviceCheck", "keyAttestation", "playIntegrity",
                ])),
            ConsoleField(
                "test_keys_in_production", "consoleTestKeysInProduction", .flag,
                hint: "consoleTestKeysInProductionHint"),
            ConsoleField("federated_deregistration", "consoleFederatedDeregistration", .flag),
            ConsoleField("second_installations", "consoleSecondInstallations", .flag),
            ConsoleField(
                "authenticators", "consoleAuthenticators", .lines,
                hint: "consoleAuthenticatorsHint"),
            ConsoleField(
                "device_scopes", "consoleDeviceScopes", .lines, hint: "consoleDeviceScopesHint"),
        ])

    private static let apple = ConsoleSettings(
        name: "apple", operation: "AppleAttestation",
        fields: [
            ConsoleField(
                "applications", "consoleAppIDs", .lines, hint: "consoleAppIDsHint"),
            ConsoleField(
                "environment", "consoleEnvironment", .choice(["production", "development"])),
            ConsoleField("checks_receipt", "consoleChecksReceipt", .flag),
            ConsoleField(
                "assertions", "consoleAssertions", .choice(["optional", "required"])),
            ConsoleField("device_check_team_id", "consoleTeamID"),
            ConsoleField("device_check_key_id", "consoleDeviceCheckKeyID"),
            ConsoleField("device_check_once", "consoleDeviceCheckOnce", .flag),
            ConsoleField(
                "device_check_address", "consoleDeviceCheckAddress",
                hint: "consoleDeviceCheckAddressHint"),
            ConsoleField(
                "device_check_again", "consoleDeviceCheckAgain", .lines,
                hint: "consoleDeviceCheckAgainHint"),
            ConsoleField(
                "device_check_key", "consoleDeviceCheckKey", .secret(isLong: true),
                hint: "consoleDeviceCheckKeyHint"),
            ConsoleField("roots", "consoleRoots", .lines, hint: "consoleRootsHint"),
            ConsoleField(
                "receipt_roots", "consoleReceiptRoots", .lines, hint: "consoleRootsHint"),
        ])

    private static let android = ConsoleSettings(
        name: "android", operation: "AndroidAttestation",
        fields: [
            ConsoleField(
                "minimum_level", "consoleMinimumLevel",
                .choice(["software", "trusted_environment", "strong_box"])),
            ConsoleField("revocation", "consoleRevocation", .choice(["checked", "ignored"])),
            ConsoleField("minimum_os_patch", "consoleOSPatch", .number, hint: "consolePatchHint"),
            ConsoleField(
                "minimum_vendor_patch", "consoleVendorPatch", .number,
                hint: "consoleLongPatchHint"),
            ConsoleField(
                "minimum_boot_patch", "consoleBootPatch", .number, hint: "consoleLongPatchHint"),
            ConsoleField(
                "matching_levels", "consoleMatchingLevels", .flag,
                hint: "consoleMatchingLevelsHint"),
            ConsoleField("verified_boot", "consoleVerifiedBoot", .flag),
            ConsoleField("user_authentication", "consoleUserAuthentication", .flag),
            ConsoleField("play_recognized_app", "consolePlayRecognized", .flag),
            ConsoleField("play_licence", "consolePlayLicence", .flag),
            ConsoleField("play_testing_responses", "consolePlayTesting", .flag),
            ConsoleField("play_device_labels", "consolePlayLabels", .lines),
            ConsoleField(
                "play_verification_key", "consolePlayVerificationKey",
                hint: "consolePlayKeysHint"),
            ConsoleField(
                "play_decryption_key", "consolePlayDecryptionKey", .secret(isLong: false),
                hint: "consoleSecretKeepHint"),
            ConsoleField("roots", "consoleRoots", .lines, hint: "consoleRootsHint"),
        ])

    /// What Apple's systems read in the association file.
    private static let associatedApps = ConsoleSettings(
        name: "associated-apps", operation: "AssociatedApps",
        fields: [
            ConsoleField(
                "webcredentials", "consoleWebCredentials", .lines, hint: "consoleAppIDsHint"),
            ConsoleField("authsrv", "consoleAuthsrv", .lines, hint: "consoleAppIDsHint"),
        ])

    /// What apps on Android are signed with.
    static let fingerprints = ConsoleRulesPage(
        part: "fingerprints", see: .seeFingerprints, change: .changeFingerprints, isGrave: true,
        lists: [
            ConsoleEntries(
                kind: "apps", one: "SigningFingerprint", many: "SigningFingerprints",
                parameter: "name", key: "package", label: "consolePackage",
                columns: [
                    .text("consoleFingerprints", "fingerprints", isCode: true),
                    .text("consoleOwner", "owner"),
                ],
                fields: [
                    ConsoleField(
                        "fingerprints", "consoleFingerprints", .lines,
                        hint: "consoleFingerprintsHint", isRequired: true)
                ], hasOwner: true)
        ])

    /// Which versions of apps and systems are let in.
    static let versions = ConsoleRulesPage(
        part: "versions", see: .seeVersions, change: .changeVersions,
        settings: [
            ConsoleSettings(
                name: "unlisted", operation: "VersionPolicy",
                fields: [ConsoleField("listed_applications_only", "consoleListedOnly", .flag)])
        ],
        lists: [
            ConsoleEntries(
                kind: "applications", one: "ApplicationRule", many: "ApplicationRules",
                parameter: "name", key: "id", label: "consoleApplication",
                columns: [
                    .text("consoleMinimumVersion", "minimum_version"),
                    .text("consoleRegistrationVersion", "registration_version"),
                    .text("consoleBlockedVersions", "blocked_versions"),
                ],
                fields: [
                    ConsoleField(
                        "minimum_version", "consoleMinimumVersion", hint: "consoleVersionHint"),
                    ConsoleField(
                        "registration_version", "consoleRegistrationVersion",
                        hint: "consoleRegistrationVersionHint"),
                    ConsoleField("update_url", "consoleUpdateURL", hint: "consoleUpdateURLHint"),
                    blockedVersions,
                ]),
            ConsoleEntries(
                kind: "systems", one: "SystemRule", many: "SystemRules", parameter: "name",
                key: "name", label: "consoleSystem",
                columns: [
                    .text("consoleMinimumVersion", "minimum_version"),
                    .text("consoleBlockedVersions", "blocked_versions"),
                ],
                fields: [
                    ConsoleField(
                        "minimum_version", "consoleMinimumVersion", hint: "consoleVersionHint"),
                    blockedVersions,
                ]),
        ])

    private static let blockedVersions = ConsoleField(
        "blocked_versions", "consoleBlockedVersions", .lines, hint: "consoleOnePerLine")

    /// Rules for PINs of app installations.
    static let pinPolicy = ConsoleRulesPage(
        part: "pin-policy", see: .seePINPolicy, change: .changePINPolicy,
        settings: [
            ConsoleSettings(
                name: "pin", operation: "PINPolicy",
                fields: [
                    ConsoleField(
                        "use", "consolePINUse", .choice(["off", "optional", "required"])),
                    ConsoleField("length", "consolePINLength", .number),
                    ConsoleField("attempts", "consolePINAttempts", .number),
                    ConsoleField("maximum_repeats", "consolePINRepeats", .number),
                    ConsoleField("allows_sequences", "consolePINSequences", .flag),
                    ConsoleField(
                        "blocked", "consolePINBlocked", .lines, hint: "consoleOnePerLine"),
                    ConsoleField(
                        "implicit_scopes", "consoleImplicitScopes", .lines,
                        hint: "consoleImplicitScopesHint"),
                ])
        ])
}
