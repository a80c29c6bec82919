// SPDX-License-Identifier: Apache-2.0
import JOSE
import ProviderAdministration
import ProviderCore
import ProviderSettings
import Storage
import Testing

/// 32 bytes in hexadecimal.
private let zeros = String(repeating: "0", count: 64)

@Suite struct PlatformSSOFieldsTests {
    private let house: PeopleHouse

    init() async throws { house = try await PeopleHouse() }

    private func state(_ settings: String) throws -> DesiredState {
        let document = #"{"projects":[{"name":"default","platform_sso":{\#(settings)}}]}"#
        return try StateParser.parse(
            JSONParser.parse(Array(document.utf8), maximumBytes: 100_000))
    }

    private func apply(_ settings: String) async throws -> [StateChange] {
        try await StateReconciler(house.provider).apply(state(settings), facts: house.facts).get()
    }

    private func policy() async throws -> PlatformSSOPolicy {
        try #require(try await house.provider.store.projects.project(named: "default")).policy
            .platformSSO
    }

    @Test("settings are applied, said field by field, and exported as they were given")
    func roundTrip() async throws {
        let settings =
            #""enabled":true,"client_id":"macs","login_frequency":7200"#
        let changes = try await apply(settings)
        #expect(
            changes.first?.fields.map(\.name) == [
                "platform_sso.enabled", "platform_sso.client_id", "platform_sso.login_frequency",
            ])
        #expect(try await policy().clientID == "macs")
        #expect(try await apply(settings).allSatisfy { $0.action == .unchanged })
        let exported = try await StateExport(house.provider).document(project: "default")
        #expect(exported["projects"]?.array?.first?["platform_sso"]?["client_id"] == "macs")
        // What a document does not mention takes its default; without the part all stays.
        _ = try await apply(#""enabled":true"#)
        #expect(try await policy().clientID == "platform-sso")
        let rest = try StateParser.parse(
            ["projects": [["name": "default", "policy": ["self_registration": false]]]])
        _ = try await StateReconciler(house.provider).apply(rest, facts: house.facts).get()
        #expect(try await policy().enabled)
    }

    @Test(
        "a setting that makes no sense is refused at its place",
        arguments: [
            (#""enabled":1"#, "enabled"), (#""allowed_methods":["face"]"#, "allowed_methods"),
            (#""enabled":true,"allowed_methods":[]"#, "allowed_methods"),
            (#""encrypted_password":true,"allowed_methods":["user_key"]"#, "encrypted_password"),
            (#""login_frequency":3599"#, "login_frequency"),
            (#""unlock_key_lifetime":60"#, "unlock_key_lifetime"),
            (#""clientid":"macs""#, "clientid"),
            (#""allowed_methods":["smart_card"]"#, "smart_card_roots"),
            (#""smart_card_roots":["AAAA"]"#, "smart_card_roots"),
            (#""federation_keys":["AAAA"]"#, "federation_keys"),
            (#""federation_issuer":"http://sts.example.com""#, "federation_keys"),
            (#""federation_metadata_url":"http://sts.example.com""#, "federation_metadata_url"),
            (#""federation_subject":"face""#, "federation_subject"),
            (#""attestation_tpm_pcrs":["7"]"#, "attestation_tpm_pcrs"),
            (#""attestation_tpm_pcrs":["24:\#(zeros)"]"#, "attestation_tpm_pcrs"),
            (#""attestation_tpm_pcrs":["07:\#(zeros)"]"#, "attestation_tpm_pcrs"),
            (#""attestation_tpm_pcrs":["7:\#(zeros)"]"#, "attestation_tpm_pcrs"),
            (#""smart_card_mapping":["face"]"#, "smart_card_mapping"),
            (#""smart_card_upn_domains":["Example.com"]"#, "smart_card_upn_domains"),
            (#""smart_card_revocation":"maybe""#, "smart_card_revocation"),
            (#""smart_card_revocation_evidence":["MAA="]"#, "smart_card_revocation_evidence"),
            (
                #""smart_card_revocation_hosts":["http://pki.example.com"]"#,
                "smart_card_revocation_hosts"
            ),
            (#""attestation":["face"]"#, "attestation"),
            (#""attestation":["apple"]"#, "attestation_apple_roots"),
            (#""attestation":["tpm"]"#, "attestation_tpm_roots"),
            (#""attestation_tpm_keys":["MAA="]"#, "attestation_tpm_keys"),
            (
                #""attestation_tpm_endorsement_roots":["MAA="]"#,
                "attestation_tpm_endorsement_roots"
            ),
            (#""profile":["LoginFrequenzy=7200"]"#, "profile"),
            (#""profile":["LoginFrequency=soon"]"#, "profile"),
            (#""profile":["LoginFrequency=7200","LoginFrequency=9000"]"#, "profile"),
            (#""profile":["AdministratorGroups=a","AdministratorGroups=b"]"#, "profile"),
            (#""administrator_groups":[""]"#, "administrator_groups"),
            (#""administrator_groups":["a,b"]"#, "administrator_groups"),
            (#""administrator_groups":"admins""#, "administrator_groups"),
            (#""additional_groups":["a\u0001"]"#, "additional_groups"),
            (#""authorization_groups":["printers"]"#, "authorization_groups"),
            (#""authorization_groups":["=printers"]"#, "authorization_groups"),
            (#""authorization_groups":["system.print="]"#, "authorization_groups"),
            (#""authorization_groups":["a=b,c"]"#, "authorization_groups"),
            (#""authorization_groups":["a=b","a=c"]"#, "authorization_groups"),
            (#""setup_assistant_extension":"com.example.sso""#, "setup_assistant_extension"),
            (
                #""setup_assistant_package_certificates":["MAA="]"#,
                "setup_assistant_package_certificates"
            ),
            (
                #""setup_assistant_package_revocation":"yes""#,
                "setup_assistant_package_revocation"
            ),
            (
                #""setup_assistant_extension":"!","#
                    + #""setup_assistant_package":"https://x.example/a.plist""#,
                "setup_assistant_extension"
            ),
        ])
    func refusals(settings: String, key: String) throws {
        do {
            _ = try state(settings)
            Issue.record("accepted")
        } catch let refusal as StateDocumentError {
            #expect(refusal.problems.map(\.path) == ["projects[0].platform_sso.\(key)"])
        }
    }

    /// What a project has after changes were put one after the other, as it is shown.
    private func shown(_ changes: String...) async throws -> JSONValue {
        let house = try await PeopleHouse()
        for change in changes {
            let value = try JSONParser.parse(Array("{\(change)}".utf8), maximumBytes: 4096)
            let project = try #require(
                try await house.provider.store.projects.project(named: "default"))
            let editor = ProjectEditor(
                house.provider, project: project, rights: nil, facts: house.facts)
            guard case .done = try await editor.put(value, as: .platformSSO) else {
                Issue.record("\(change)")
                continue
            }
        }
        let project = try #require(
            try await house.provider.store.projects.project(named: "default"))
        return .object(ProjectSettingsGroup.platformSSO.read(project))
    }

    @Test("groups have keys of their own, whichever way they were set")
    func groups() async throws {
        let lines = #""profile":["OfflineGracePeriod=7","AdministratorGroups=admins,wheel"]"#
        let old = try await shown(lines)
        #expect(old["administrator_groups"] == ["admins", "wheel"])
        #expect(old["additional_groups"] == [] && old["authorization_groups"] == [])
        #expect(old["profile"] == ["OfflineGracePeriod=7"])
        let new = try await shown(
            #""administrator_groups":["admins","wheel"]"#, #""profile":["OfflineGracePeriod=7"]"#)
        #expect(new == old)
    }

    @Test("what is not said of groups stays, and what is said replaces the others of its key")
    func changes() async throws {
        let rights = #""authorization_groups":["system.print=printers","a=b=c"]"#
        let kept = try await shown(
            rights, #""administrator_groups":["admins"]"#, #""profile":["OfflineGracePeriod=7"]"#)
        #expect(kept["authorization_groups"] == ["system.print=printers", "a=b=c"])
        #expect(kept["administrator_groups"] == ["admins"])
        let replaced = try await shown(
            rights, #""profile":["AuthorizationGroups=x=y"]"#, #""administrator_groups":["new"]"#)
        #expect(replaced["authorization_groups"] == ["x=y"])
        #expect(replaced["administrator_groups"] == ["new"])
        #expect(
            try await shown(rights, #""authorization_groups":[]"#)["authorization_groups"] == [])
    }
}
