// SPDX-License-Identifier: Apache-2.0
import IdentityProvider
import Storage

extension ConsoleRulesPage {
    /// The rules for who creates an account, and for how administrators sign in.
    static let registration = ConsoleRulesPage(
        part: "registration", see: .seeTokenPolicy, change: .changeTokenPolicy,
        settings: [
            ConsoleSettings(
                name: "registration", operation: "TokenPolicy",
                fields: [
                    ConsoleField(
                        "self_registration", "consoleSelfRegistration", .flag,
                        hint: "consoleSelfRegistrationHint"),
                    seconds(
                        "username_reuse_delay", "consoleUsernameReuse", "consoleUsernameReuseHint"),
                ]),
            ConsoleSettings(
                name: "administrators", operation: "TokenPolicy",
                fields: [
                    ConsoleField(
                        "administrators_need_key", "consoleAdministratorsNeedKey",
                        .choice(KeyDemand.allCases.map(\.rawValue)),
                        hint: "consoleAdministratorsNeedKeyHint")
                ]),
        ])

    /// The lifetimes of codes, tokens and sessions.
    static let tokenPolicy = ConsoleRulesPage(
        part: "token-policy", see: .seeTokenPolicy, change: .changeTokenPolicy,
        settings: [
            ConsoleSettings(
                name: "tokens", operation: "TokenPolicy",
                fields: [
                    seconds("access_token_lifetime", "consoleAccessTokenLife"),
                    seconds("id_token_lifetime", "consoleIDTokenLife"),
                    seconds("refresh_token_idle_lifetime", "consoleRefreshIdle"),
                    seconds("refresh_token_lifetime", "consoleRefreshLife"),
                    seconds("refresh_grace", "consoleRefreshGrace", "consoleRefreshGraceHint"),
                    seconds("session_lifetime", "consoleSessionLife"),
                    seconds("session_idle_lifetime", "consoleSessionIdle"),
                    seconds("code_lifetime", "consoleCodeLife"),
                    seconds("device_code_lifetime", "consoleDeviceCodeLife"),
                    seconds("device_poll_interval", "consoleDevicePoll"),
                ])
        ])

    private static func seconds(
        _ name: String, _ label: String, _ hint: String = ""
    ) -> ConsoleField {
        ConsoleField(name, label, .number, hint: hint, isRequired: true)
    }

    /// Passkeys and security keys.
    static let webauthnPolicy = ConsoleRulesPage(
        part: "webauthn", see: .seeWebAuthnPolicy, change: .changeWebAuthnPolicy, isGrave: true,
        settings: [
            ConsoleSettings(
                name: "webauthn", operation: "WebAuthnPolicy",
                fields: [
                    ConsoleField(
                        "user_verification", "consoleUserVerification",
                        .choice(["required", "preferred", "discouraged"])),
                    ConsoleField(
                        "attestation", "consoleAttestation",
                        .choice(["none", "indirect", "direct", "enterprise"])),
                    ConsoleField(
                        "attestation_trust", "consoleAttestationTrust",
                        .choice(["none", "any", "roots", "metadata"]),
                        hint: "consoleAttestationTrustHint"),
                    ConsoleField(
                        "hardware_evidence", "consoleHardwareEvidence",
                        .choice(["attested", "claimed"])),
                    ConsoleField(
                        "sign_counter", "consoleSignCounter", .choice(["refuse", "report"])),
                    ConsoleField("backup_eligible", "consoleBackupEligible", .flag),
                    ConsoleField(
                        "second_factor_before_first_key", "consoleSecondFactorFirst", .flag),
                    ConsoleField("rs1", "consoleRS1", .flag),
                    ConsoleField(
                        "tpm_sha1", "consoleTPMSHA1", .flag, hint: "consoleTPMSHA1Hint"),
                    ConsoleField(
                        "algorithms", "consoleAlgorithms", .lines, hint: "consoleAlgorithmsHint"),
                    ConsoleField(
                        "allowed_aaguids", "consoleAllowedModels", .lines,
                        hint: "consoleModelsHint"),
                    ConsoleField(
                        "denied_aaguids", "consoleDeniedModels", .lines,
                        hint: "consoleModelsHint"),
                    ConsoleField(
                        "related_origins", "consoleRelatedOrigins", .lines,
                        hint: "consoleOriginsHint"),
                    ConsoleField(
                        "top_origins", "consoleTopOrigins", .lines, hint: "consoleTopOriginsHint"),
                    ConsoleField(
                        "trust_roots", "consoleTrustRoots", .lines, hint: "consoleRootsHint"),
                ])
        ])

    /// Machines that sign people in.
    static let platformSSOPolicy = ConsoleRulesPage(
        part: "platform-sso", see: .seePlatformSSOPolicy, change: .changePlatformSSOPolicy,
        isGrave: true,
        settings: [
            ConsoleSettings(
                name: "machines", operation: "PlatformSSOPolicy", fields: machines),
            ConsoleSettings(
                name: "hardware", operation: "PlatformSSOPolicy", fields: hardware),
            ConsoleSettings(name: "cards", operation: "PlatformSSOPolicy", fields: cards),
            ConsoleSettings(
                name: "token-service", operation: "PlatformSSOPolicy", fields: tokenService),
            ConsoleSettings(
                name: "setup-assistant", operation: "PlatformSSOPolicy", fields: setupAssistant),
        ])

    private static let machines = [
        ConsoleField("enabled", "consolePlatformSSOEnabled", .flag),
        ConsoleField("registration_by_people", "consoleRegistrationByPeople", .flag),
        ConsoleField("require_compliance", "consoleRequireCompliance", .flag),
        ConsoleField("encrypted_password", "consoleEncryptedPassword", .flag),
        ConsoleField("access_token", "consoleMachineAccessToken", .flag),
        ConsoleField("device_claim", "consoleDeviceClaim", .flag),
        ConsoleField("client_id", "consoleClientID", isRequired: true),
        ConsoleField("audience", "consoleAudience", hint: "consoleMachineAudienceHint"),
        seconds("login_frequency", "consoleLoginFrequency"),
        seconds("unlock_key_lifetime", "consoleUnlockKeyLife"),
        ConsoleField(
            "allowed_methods", "consoleMachineMethods",
            .boxes(["password", "user_key", "smart_card", "web_login"])),
        ConsoleField("sign_in_groups", "consoleSignInGroups", .lines, hint: "consoleGroupsHint"),
        ConsoleField(
            "administrator_groups", "consoleAdministratorGroups", .lines,
            hint: "consoleAdministratorGroupsHint"),
        ConsoleField(
            "additional_groups", "consoleAdditionalGroups", .lines, hint: "consoleOnePerLine"),
        ConsoleField(
            "authorization_groups", "consoleAuthorizationGroups", .lines,
            hint: "consoleAuthorizationGroupsHint"),
        ConsoleField("profile", "consoleMachineProfile", .lines, hint: "consoleMachineProfileHint"),
    ]

    private static let hardware = [
        ConsoleField(
            "attestation", "consoleHardwareAttestation", .boxes(["apple", "tpm"]),
            hint: "consoleHardwareHint"),
        ConsoleField(
            "attestation_apple_roots", "consoleAppleRoots", .lines, hint: "consoleRootsHint"),
        ConsoleField("attestation_tpm_roots", "consoleTPMRoots", .lines, hint: "consoleRootsHint"),
        ConsoleField("attestation_tpm_keys", "consoleTPMKeys", .lines, hint: "consoleTPMKeysHint"),
        ConsoleField(
            "attestation_tpm_endorsement_roots", "consoleTPMMakers", .lines,
            hint: "consoleTPMMakersHint"),
        ConsoleField(
            "attestation_tpm_pcrs", "consoleTPMRegisters", .lines, hint: "consoleTPMRegistersHint"),
    ]

    private static let cards = [
        ConsoleField(
            "smart_card_revocation", "consoleCardRevocation",
            .choice(["off", "when_known", "required"])),
        ConsoleField(
            "smart_card_mapping", "consoleCardMapping",
            .boxes(["subject", "email", "upn", "alt_security_identities"])),
        ConsoleField(
            "smart_card_upn_domains", "consoleCardDomains", .lines, hint: "consoleOnePerLine"),
        ConsoleField("smart_card_roots", "consoleCardRoots", .lines, hint: "consoleRootsHint"),
        ConsoleField(
            "smart_card_revocation_hosts", "consoleCardHosts", .lines, hint: "consoleCardHostsHint"),
        ConsoleField(
            "smart_card_revocation_evidence", "consoleCardEvidence", .lines,
            hint: "consoleCardEvidenceHint"),
    ]

    private static let tokenService = [
        ConsoleField("federation_issuer", "consoleTokenService"),
        ConsoleField("federation_audience", "consoleAudience"),
        ConsoleField("federation_metadata_url", "consoleTokenServiceMetadata"),
        ConsoleField(
            "federation_subject", "consoleTokenServiceSubject",
            .choice(["name", "upn", "email"])),
        ConsoleField(
            "federation_domains", "consoleTokenServiceDomains", .lines, hint: "consoleOnePerLine"),
        ConsoleField(
            "federation_keys", "consoleTokenServiceKeys", .lines, hint: "consoleRootsHint"),
    ]

    private static let setupAssistant = [
        ConsoleField("setup_assistant_team", "consoleSetupTeam"),
        ConsoleField("setup_assistant_extension", "consoleSetupExtension"),
        ConsoleField("setup_assistant_app", "consoleSetupApp"),
        ConsoleField("setup_assistant_package", "consoleSetupPackage"),
        ConsoleField(
            "setup_assistant_package_certificates", "consoleSetupPackageCertificates", .lines,
            hint: "consoleRootsHint"),
        ConsoleField(
            "setup_assistant_package_revocation", "consoleSetupPackageRevocation", .flag),
    ]
}
