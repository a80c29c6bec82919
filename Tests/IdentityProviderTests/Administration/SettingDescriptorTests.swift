// SPDX-License-Identifier: Apache-2.0
import Foundation
import JOSE
import Testing

@testable import ProviderAdministration
@testable import ProviderInstallations
@testable import ProviderSettings
@testable import ProviderTokens
@testable import ProviderUpstream
@testable import Storage

/// A setting is a property of a record and a line of a table: a property without a line is found
/// here, and a line that does not work in both directions.
@Suite struct SettingDescriptorTests {
    // MARK: From the record to the table

    /// Values of another kind or content, one of which is a valid value of a property.
    private static func others(than value: JSONValue?) -> [JSONValue] {
        switch value {
        case .bool(let flag): return [.bool(!flag)]
        case .integer(let number): return [.integer(number + 1)]
        case .array: return [["x"], [[:]]]
        case .object: return [["x": "x"]]
        default:
            let words = StateKey.document.flatMap(words) + ["x", "{}"]
            return words.map(JSONValue.string) + [1, true]
        }
    }

    private static func words(_ key: StateKey) -> [String] {
        key.choices + key.members.flatMap(words)
    }

    /// The paths of properties whose change no descriptor of `differences` reads, or more than one.
    ///
    /// - Parameter optional: the names of properties without a value.
    private func unread<Settings: StoredSettings>(
        _ standard: Settings, optional: [String] = [], below path: [String] = [],
        _ differences: (Settings) -> [StateChange.Field]
    ) throws -> [String] {
        let text = Array(try JSONEncoder().encode(standard))
        let whole = try JSONParser.parse(text, maximumBytes: 65_536)
        let object = try #require(path.reduce(whole) { $0[$1] ?? .null }.object)
        return try (object.names + optional).flatMap { name -> [String] in
            if let part = object[name]?.object, !part.isEmpty {
                return try unread(standard, below: path + [name], differences)
            }
            let found = Self.others(than: object[name]).contains { other in
                let changed = whole.setting(path + [name], to: other)
                let settings = try? JSONDecoder().decode(
                    WithDefaults<Settings>.self, from: Data(changed.bytes)
                ).settings
                return settings.map { differences($0).count == 1 } ?? false
            }
            return found ? [] : [(path + [name]).joined(separator: ".")]
        }
    }

    @Test("every stored property of a project's policy has one descriptor")
    func project() throws {
        let unread = try unread(ProjectPolicy()) { policy in
            var project = Project.blank
            project.policy = policy
            return ProjectSection.differences(from: .blank, to: project)
        }
        // Sealed, see RegistrationSecrets.
        #expect(unread == ["registration.secrets"])
    }

    @Test("every stored property of an entry of a project's lists has one descriptor")
    func entries() throws {
        func unread<Entry: StoredSettings>(
            _ standard: Entry, _ fields: [RecordField<Entry>]
        ) throws -> [String] {
            try self.unread(standard) {
                RecordField.differences(fields, from: standard, to: $0)
            }
        }
        #expect(try unread(CustomProviderSettings(), CustomProviderFields.rules).isEmpty)
        #expect(try unread(AppVersionPolicy(), VersionFields.application).isEmpty)
        #expect(try unread(SystemVersionPolicy(), VersionFields.system).isEmpty)
        #expect(
            try unread(AndroidAppPolicy.Application(), AttestedAppFields.application).isEmpty)
    }

    @Test("every stored property of a client, an identity provider and an issuer key has one")
    func others() throws {
        let optional = ClientMetadata.CodingKeys.allCases.map(\.rawValue).filter {
            (try? JSONParser.parse(
                Array(JSONEncoder().encode(ClientMetadata())), maximumBytes: 65_536)[$0]) == nil
        }
        #expect(optional.count > 10)
        let client = try unread(ClientMetadata(), optional: optional) {
            var client = Client.blank
            client.metadata = $0
            return RecordField.differences(ClientFields.client, from: .blank, to: client)
        }
        #expect(client == [])
        let upstream = try unread(UpstreamSettings()) {
            var provider = UpstreamProvider.blank
            provider.settings = $0
            return RecordField.differences(UpstreamFields.provider, from: .blank, to: provider)
        }
        #expect(upstream == [])
        let key = try unread(IssuerKeySettings()) {
            var key = IssuerKey.blank
            key.settings = $0
            return RecordField.differences(IssuerKeyFields.key, from: .blank, to: key)
        }
        #expect(key == [])
    }

    // MARK: From the table to the record

    /// Valid values other than the default, as far as the form of a setting says which are valid.
    private static func values(of key: StateKey) -> [JSONValue] {
        let words = key.choices.map(JSONValue.string)
        let all: [JSONValue] =
            switch key.kinds {
            case ["boolean"]: [true, false]
            case ["integer"]:
                key.range.map { [.integer($0.lowerBound), .integer($0.upperBound)] } ?? []
            case ["array"]: words.map { .array([$0]) }
            default: words
            }
        return all.filter { $0 != key.usual }
    }

    @Test("every value that a setting's form allows is written, read and named as its difference")
    func walk() {
        var walked = 0
        for section in ProjectSection.all {
            for key in section.keys where key.members.isEmpty {
                for value in Self.values(of: key) {
                    var project = Project.blank
                    section.apply(
                        JSONObject([.init(name: key.name, value: value)]), &project)
                    #expect(section.object(project)[key.name] == value, "\(key.name) \(value)")
                    #expect(
                        section.differences(.blank, project).map(\.name)
                            == ["\(section.name).\(key.name)"])
                    walked += 1
                }
            }
        }
        #expect(walked > 80)
    }

    @Test("what a group of settings shows can be written back, and changes nothing")
    func writtenBack() {
        for group in ProjectSettingsGroup.all {
            var project = Project.blank
            #expect(group.write(.object(group.read(.blank)), &project) == nil, "\(group.name)")
            #expect(project == .blank, "\(group.name)")
            #expect(!group.keys.isEmpty && Set(group.keys.map(\.name)).count == group.keys.count)
        }
    }

    @Test("every setting of a project has a form: types, and for a number its range")
    func forms() {
        func check(_ keys: [StateKey], _ path: String) {
            for key in keys {
                #expect(!key.kinds.isEmpty, "\(path)\(key.name)")
                if key.kinds == ["integer"] { #expect(key.range != nil, "\(path)\(key.name)") }
                check(key.members, "\(path)\(key.name).")
            }
        }
        for section in ProjectSection.all { check(section.keys, section.name + ".") }
    }
}

extension JSONValue {
    fileprivate func setting(_ path: [String], to value: JSONValue) -> JSONValue {
        guard let name = path.first else { return value }
        var object = object ?? JSONObject()
        object[name] = (object[name] ?? .null).setting(Array(path.dropFirst()), to: value)
        return .object(object)
    }
}
