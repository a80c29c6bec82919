// SPDX-License-Identifier: Apache-2.0
import JOSE
import Testing

@testable import AdminConsole
@testable import AdminEndpoints
@testable import ProviderAdministration
@testable import ProviderSettings
@testable import WebPages

/// The line of a setting in its table gives its schema in the Admin API, its field in the console,
/// and its texts.
@Suite struct SettingPlacesTests {
    private static let forms = ConsoleRulesPage.all.flatMap(\.settings)
    private static let fields: [ConsoleField] =
        forms.flatMap(\.fields) + ConsoleRulesPage.all.flatMap(\.lists).flatMap(\.fields)
        + ConsoleClientFields.all + ConsolePersonDetails.fields

    @Test("every section of settings is one form, with a field for each key and secret")
    func sections() {
        for group in ProjectSettingsGroup.all {
            for section in group.sections {
                let found = Self.forms.filter {
                    $0.show == group.show && $0.put == group.put && $0.name == section.name
                }
                #expect(found.count == 1, "\(group.name) \(section.name)")
                #expect(
                    found.first?.fields.map(\.name)
                        == section.keys.map(\.name) + group.secrets.map(\.name))
            }
        }
    }

    @Test("every setting has a text in every language, and every text of a setting has a setting")
    func texts() throws {
        let labels = Set(Self.fields.map(\.label).filter { $0.hasPrefix("consoleSetting.") })
        #expect(labels.count > 180)
        for (code, language) in try WebResources().translations.languages {
            let texts = Set(language.texts.keys.filter { $0.hasPrefix("consoleSetting.") })
            #expect(texts.filter { !$0.hasSuffix(".hint") } == labels, "\(code)")
            for text in texts where text.hasSuffix(".hint") {
                #expect(labels.contains(String(text.dropLast(5))), "\(code) \(text)")
            }
        }
    }

    @Test("the text of a setting is named by the path of its key in a state file")
    func paths() {
        func paths(_ keys: [StateKey], below path: String) -> [String] {
            keys.flatMap { [path + $0.name] + paths($0.members, below: "\(path)\($0.name).") }
        }
        let known = Set(
            paths(StateKey.document.first?.members ?? [], below: "").map(StateKey.text))
        for field in Self.fields where field.label.hasPrefix("consoleSetting.") {
            #expect(known.contains(field.label), "\(field.label)")
        }
    }

    @Test("the Admin API's schema has the type, range and choices of each setting")
    func schemas() throws {
        let schemas = try JSONParser.parse(Array(AdminSchemas.all.utf8), maximumBytes: 65_536)
        let tables =
            ProjectSettingsGroup.all.map { ($0.schema, $0.keys) }
            + ProjectList.all.map { list in
                (list.schema, list.keys.filter { $0.name != list.key })
            }
        for (schema, keys) in tables {
            for key in keys {
                let property = try #require(schemas[schema]?["properties"]?[key.name])
                let types = property["type"]?.strings ?? [property["type"]?.string ?? ""]
                #expect(types.filter { $0 != "null" } == key.kinds, "\(schema).\(key.name)")
                #expect(types.contains("null") == key.isClearable, "\(schema).\(key.name)")
                #expect(property["minimum"]?.integer == key.range?.lowerBound)
                #expect(property["maximum"]?.integer == key.range?.upperBound)
                let words = property["enum"] ?? property["items"]?["enum"]
                #expect((words?.strings ?? []) == key.choices, "\(schema).\(key.name)")
            }
        }
        let policy = try #require(schemas["TokenPolicy"]?["properties"])
        #expect(policy["refresh_grace"] == ["type": "integer", "minimum": 0, "maximum": 300])
        let machines = try #require(schemas["PlatformSSOPolicy"]?["properties"])
        #expect(machines["login_frequency"]?["maximum"] == 31_622_400)
        #expect(
            schemas["AppleAttestation"]?["properties"]?["device_check_key"]?["writeOnly"] == true)
        #expect(schemas["CustomIdentityProvider"]?["required"] == ["url"])
    }

    @Test("the control of a field follows from the form of the value")
    func controls() throws {
        func field(_ path: String) throws -> ConsoleField {
            try #require(Self.fields.first { $0.label == StateKey.text(path) })
        }
        guard case .number = try field("platform_sso.login_frequency").kind,
            case .choice(["off", "when_known", "required"]) =
                try field("platform_sso.smart_card_revocation").kind,
            case .lines = try field("webauthn.trust_roots").kind,
            // The order is a preference, which boxes do not have.
            case .lines = try field("webauthn.algorithms").kind,
            case .boxes = try field("clients.grant_types").kind,
            case .optional = try field("theme.accent").kind,
            case .optional = try field("clients.required_acr").kind,
            case .pairs = try field("identity_providers.claims").kind,
            case .json = try field("clients.jwks").kind,
            case .secret(isLong: true) = try field("registration.apple.device_check_key").kind,
            case .secret(isLong: false) = try field("registration.android.play_decryption_key")
                .kind
        else {
            Issue.record("a control of another form")
            return
        }
        #expect(try field("platform_sso.login_frequency").isRequired)
        #expect(try field("platform_sso.client_id").isRequired)
        #expect(try field("registration.identity_providers.url").isRequired)
        #expect(try !field("platform_sso.audience").isRequired)
        #expect(try field("webauthn.trust_roots").hint == "consoleRootsHint")
    }
}
