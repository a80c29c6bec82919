// SPDX-License-Identifier: Apache-2.0
import ProviderPeople
package import ProviderSettings
package import Storage

/// The keys of a project's `platform_sso`: the policy for devices that sign people in.
package enum PlatformSSOFields {
    package static let policy = sections.flatMap(\.fields)

    /// The sections of the console's page.
    package static let sections = [
        (name: "machines", fields: machines), (name: "hardware", fields: attestation),
        (name: "cards", fields: smartCards), (name: "token-service", fields: federation),
        (name: "setup-assistant", fields: setupAssistant),
    ]

    private static let machines: [RecordField<PlatformSSOPolicy>] =
        [
            .flag("enabled", .ordinary, \.enabled),
            .flag("registration_by_people", .impersonatingWhenOn, \.registrationByPeople),
            .flag("require_compliance", .impersonating, \.requiresCompliance),
            .flag("encrypted_password", .ordinary, \.encryptedPassword),
            .flag("access_token", .ordinary, \.accessToken),
            .flag("device_claim", .ordinary, \.deviceClaim),
            .text("client_id", .impersonating, \.clientID, rule: TextRules.clientID),
            .text("audience", .impersonating, \.audience),
            // The minimum is that of the payload's LoginFrequency.
            .seconds("login_frequency", .ordinary, \.loginFrequency, in: 3600...31_622_400),
            .seconds(
                "unlock_key_lifetime", .ordinary, \.unlockKeyLifetime, in: 86_400...158_112_000),
            .list(
                "allowed_methods", .impersonating, \.allowedMethods,
                rule: TextRules.oneOf(DeviceUser.Method.allCases.map(\.rawValue))),
            .list("sign_in_groups", .ordinary, \.signInGroups),
        ] + MachineGroupFields.all

    private static let setupAssistant: [RecordField<PlatformSSOPolicy>] = [
        .text("setup_assistant_team", .impersonating, \.setupAssistant.team),
        .text("setup_assistant_extension", .impersonating, \.setupAssistant.extensionIdentifier),
        .text("setup_assistant_app", .impersonating, \.setupAssistant.app),
        .text("setup_assistant_package", .impersonating, \.setupAssistant.manifestURL),
        .certificates(
            "setup_assistant_package_certificates", .impersonating,
            \.setupAssistant.pinnedCertificates),
        .flag(
            "setup_assistant_package_revocation", .impersonating, \.setupAssistant.checksRevocation),
    ]

    private static let smartCards: [RecordField<PlatformSSOPolicy>] = [
        .choice("smart_card_revocation", .impersonating, \.smartCards.revocation),
        .list(
            "smart_card_mapping", .impersonating, \.smartCards.mapping,
            rule: TextRules.oneOf(CertificateMapping.Rule.allCases.map(\.rawValue))),
        .list(
            "smart_card_upn_domains", .impersonating, \.smartCards.principalDomains,
            rule: TextRules.hostName),
        .certificates("smart_card_roots", .impersonating, \.smartCards.roots),
        .list(
            "smart_card_revocation_hosts", .impersonating, \.smartCards.hosts,
            rule: TextRules.hostName),
        .evidence("smart_card_revocation_evidence", .impersonating, \.smartCards.evidence),
    ]

    private static let federation: [RecordField<PlatformSSOPolicy>] = [
        .text("federation_issuer", .impersonating, \.federation.issuer),
        .text("federation_audience", .impersonating, \.federation.audience),
        .text(
            "federation_metadata_url", .impersonating, \.federation.metadataURL, rule: secureAddress
        ),
        .choice("federation_subject", .impersonating, \.federation.subject),
        .list("federation_domains", .impersonating, \.federation.domains, rule: TextRules.hostName),
        .rootKeys("federation_keys", .impersonating, \.federation.keys),
    ]

    /// macOS sends a password only to an HTTPS URL.
    private static let secureAddress: TextRule = {
        $0.isEmpty || $0.hasPrefix("https://") ? nil : ValidationIssue(.notHTTPS)
    }

    private static let attestation: [RecordField<PlatformSSOPolicy>] = [
        .list(
            "attestation", .impersonating, \.attestation.formats,
            rule: TextRules.oneOf(DeviceAttestation.Format.allCases.map(\.rawValue))),
        .rootKeys("attestation_apple_roots", .impersonating, \.attestation.appleRoots),
        .rootKeys("attestation_tpm_roots", .impersonating, \.attestation.tpmRoots),
        .publicKeys("attestation_tpm_keys", .impersonating, \.attestation.tpmKeys),
        .rootKeys(
            "attestation_tpm_endorsement_roots", .impersonating, \.attestation.tpmEndorsementRoots),
        .list(
            "attestation_tpm_pcrs", .impersonating, \.attestation.tpmRegisters,
            rule: { BootRegisters.read($0) == nil ? ValidationIssue(.notRegister) : nil }),
    ]

    /// Checks conditions across keys.
    package static func complaint(_ policy: PlatformSSOPolicy) -> CrossFieldRule? {
        if policy.enabled, policy.allowedMethods.isEmpty {
            return ("allowed_methods", ValidationIssue(.methodsNeeded))
        }
        if policy.encryptedPassword, !policy.allowedMethods.contains("password") {
            return ("encrypted_password", ValidationIssue(.passwordNeeded))
        }
        if policy.allowedMethods.contains(DeviceUser.Method.smartCard.rawValue) {
            if policy.smartCards.roots.isEmpty {
                return ("smart_card_roots", ValidationIssue(.cardRootsNeeded))
            }
            if policy.smartCards.mapping.isEmpty {
                return ("smart_card_mapping", ValidationIssue(.cardMappingNeeded))
            }
        }
        let federation = policy.federation
        guard federation.issuer.isEmpty == federation.keys.isEmpty else {
            return ("federation_keys", ValidationIssue(.federationNeedsBoth))
        }
        guard federation.keys.isEmpty || !FederatedAssertion.keys(federation).isEmpty else {
            return ("federation_keys", ValidationIssue(.assertionKeyNeeded))
        }
        if let complaint = DeviceProfile.fault(of: policy) {
            return ("setup_assistant_extension", complaint)
        }
        return complaint(policy.attestation)
    }

    private static func complaint(
        _ policy: DeviceAttestationPolicy
    ) -> CrossFieldRule? {
        if policy.formats.contains("apple"), policy.appleRoots.isEmpty {
            return ("attestation_apple_roots", ValidationIssue(.evidenceRootsNeeded))
        }
        if policy.formats.contains("tpm"), policy.tpmRoots.isEmpty, policy.tpmKeys.isEmpty,
            policy.tpmEndorsementRoots.isEmpty
        {
            return ("attestation_tpm_roots", ValidationIssue(.tpmTrustNeeded))
        }
        if !policy.tpmRegisters.isEmpty, policy.formats != ["tpm"] {
            return ("attestation_tpm_pcrs", ValidationIssue(.registersNeedTPM))
        }
        if !policy.tpmRoots.isEmpty, !policy.tpmKeys.isEmpty {
            return ("attestation_tpm_keys", ValidationIssue(.tpmKeysOrRoots))
        }
        return nil
    }
}
