// SPDX-License-Identifier: Apache-2.0
package import JOSE
import Primitives
package import ProviderCore
import ProviderInstallations
import ProviderSettings
import ProviderTokens
package import Storage

/// Exports the state of the provider as a state document, without secrets.
package struct StateExport: Sendable {
    let store: any ProviderStore
    /// The number of records of one read.
    private static let page = 500

    package init(_ provider: Provider) { store = provider.store }

    /// Exports all projects, or only the one with this name.
    package func document(project name: String? = nil) async throws -> JSONValue {
        if let name {
            guard let project = try await store.projects.project(named: name) else {
                return ["projects": []]
            }
            return ["projects": [try await document(of: project)]]
        }
        var projects: [JSONValue] = []
        var last: String?
        repeat {
            let page = try await store.projects.projects(after: last, limit: Self.page)
            for project in page { projects.append(try await document(of: project)) }
            last = page.count == Self.page ? page.last?.name : nil
        } while last != nil
        var document = JSONObject()
        document["projects"] = .array(projects)
        let administrators = try await administrators()
        if !administrators.isEmpty { document["administrators"] = .array(administrators) }
        return .object(document)
    }

    /// Exports the administrators.
    private func administrators() async throws -> [JSONValue] {
        var found: [JSONValue] = []
        var last: Identifier<Administrator>?
        repeat {
            let page = try await store.administrators.administrators(after: last, limit: Self.page)
            found += page.map { listed in
                var object = JSONObject()
                object["username"] = .string(listed.username)
                object["role"] = .string(listed.administrator.role.rawValue)
                object["project"] = listed.projectName.map(JSONValue.string)
                return .object(object)
            }
            last = page.count == Self.page ? page.last?.administrator.id : nil
        } while last != nil
        return found
    }

    private func document(of project: Project) async throws -> JSONValue {
        var object = Self.object(project)
        object["clients"] = .array(try await clients(of: project))
        let keys = try await store.issuerKeys.issuerKeys(of: project.id, kind: .federation)
        object["issuer_keys"] = .array(keys.map { .object(Self.object($0)) })
        for member in try await lists(of: project).members { object[member.name] = member.value }
        object["users"] = .array(try await people(of: project))
        return .object(object)
    }

    private func clients(of project: Project) async throws -> [JSONValue] {
        var found: [JSONValue] = []
        var last: String?
        repeat {
            let page = try await store.clients.clients(
                of: project.id, after: last, limit: Self.page)
            found += page.map { .object(Self.object($0)) }
            last = page.count == Self.page ? page.last?.clientID : nil
        } while last != nil
        return found
    }

    private func people(of project: Project) async throws -> [JSONValue] {
        var found: [JSONValue] = []
        var last: String?
        repeat {
            let page = try await store.people.people(of: project.id, after: last, limit: Self.page)
            // People of an issuer are omitted: the issuer created them, not a document.
            found += page.filter(\.realm.isEmpty).map { .object(Self.object($0)) }
            last = page.count == Self.page ? page.last?.qualifiedName : nil
        } while last != nil
        return found
    }

    /// The entry of a project in a document, without clients and people.
    package static func object(_ project: Project) -> JSONObject {
        var object = JSONObject()
        object["name"] = .string(project.name)
        for member in RecordField.object(ProjectFields.project, of: project).members {
            object[member.name] = member.value
        }
        for section in ProjectSection.all {
            let members = section.object(project)
            if !members.isEmpty { object[section.name] = .object(members) }
        }
        return object
    }

    package static func object(_ client: Client) -> JSONObject {
        named("client_id", client.clientID, RecordField.object(ClientFields.client, of: client))
    }

    package static func object(_ key: IssuerKey) -> JSONObject {
        var object = named("issuer", key.issuer, JSONObject())
        object["kid"] = .string(key.kid)
        for member in RecordField.object(IssuerKeyFields.key, of: key).members {
            object[member.name] = member.value
        }
        return object
    }

    package static func object(_ person: Person) -> JSONObject {
        named("username", person.username, RecordField.object(PersonFields.person, of: person))
    }

    static func named(_ key: String, _ name: String, _ object: JSONObject) -> JSONObject {
        JSONObject([JSONObject.Member(name: key, value: .string(name))] + object.members)
    }
}
