// SPDX-License-Identifier: Apache-2.0
package import JOSE
import ProviderInstallations
import ProviderSettings
import ProviderUpstream
package import Storage

extension StateExport {
    /// Entitlements and upstream providers. Empty lists are omitted.
    func lists(of project: Project) async throws -> JSONObject {
        let sets = try await store.entitlements.entitlementSets(of: project.id)
        let sequences = try await store.entitlements.entitlementSequences(of: project.id)
        let providers = try await store.upstreamProviders.upstreamProviders(of: project.id)
        var object = JSONObject()
        object["entitlement_sets"] = Self.list(sets.map(Self.object))
        object["entitlement_sequences"] = Self.list(sequences.map(Self.object))
        object["identity_providers"] = Self.list(providers.map(Self.object))
        return object
    }

    package static func object(_ set: EntitlementSet) -> JSONObject {
        named("name", set.name, RecordField.object(EntitlementFields.set, of: set))
    }

    package static func object(_ sequence: EntitlementSequence) -> JSONObject {
        named("name", sequence.name, RecordField.object(EntitlementFields.sequence, of: sequence))
    }

    /// The object of a provider without its secret. Empty values are omitted.
    package static func object(_ provider: UpstreamProvider) -> JSONObject {
        var object = named("identifier", provider.name, JSONObject())
        object["kind"] = .string(provider.kind.rawValue)
        for member in RecordField.object(UpstreamFields.provider, of: provider).members
        where member.value != "" && member.value != [] && member.value != .object(JSONObject()) {
            object[member.name] = member.value
        }
        return object
    }

    private static func list(_ entries: [JSONObject]) -> JSONValue? {
        entries.isEmpty ? nil : .array(entries.map(JSONValue.object))
    }
}
