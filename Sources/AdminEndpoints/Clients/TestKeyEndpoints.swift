// SPDX-License-Identifier: Apache-2.0
import HTTPTypes
import IdentityProvider
import JOSE
import Primitives
import Storage

/// `/projects/{project}/test-keys`: keys by which tests of apps register as often as they like.
struct TestKeyEndpoints: Sendable {
    private let provider: Provider

    init(_ provider: Provider) { self.provider = provider }

    private static let path = "/projects/{project}/test-keys"
    private static let maximumTextLength = 128

    var all: [AdminEndpoint] {
        [
            AdminEndpoint(
                .get, Self.path, "listTestKeys", "Test registration keys.",
                query: AdminEndpoint.search("name or key_id") + AdminEndpoint.optionalPaging,
                answer: "TestKeys", run: list),
            AdminEndpoint(
                .post, Self.path, "createTestKey",
                "Makes a test registration key. Its private part is in this answer only.",
                body: "NewTestKey", answer: "TestKey", statuses: [.created], run: create),
            AdminEndpoint(
                .delete, Self.path + "/{key}", "revokeTestKey",
                "Revokes the key of that key_id. People are kept.", run: revoke),
            AdminEndpoint(
                .post, Self.path + "/sweep", "sweepTestPeople",
                "Removes the people who were made with test keys, from a certain age on.",
                body: "TestSweep", answer: "TestSwept", run: sweep),
        ]
    }

    private func keys(_ call: AdminRequest) async throws -> TestRegistrationKeys? {
        try await provider.tenant(named: call[parameter: "project"]).map {
            TestRegistrationKeys(provider, tenant: $0, facts: call.facts)
        }
    }

    private func list(_ call: AdminRequest) async throws -> AdminResponse {
        guard let keys = try await keys(call) else { return .unknown("project") }
        let search = call.search
        let found = try await keys.all().filter { key in
            search.isEmpty || key.kid.hasPrefix(search) || key.settings.name.hasPrefix(search)
        }
        return try await PageRequest.answer(
            call, list: "test-keys/\(call[parameter: "project"])/\(search)",
            secrets: provider.secrets, all: found, key: \.id.description,
            json: { .object(Self.object($0)) })
    }

    private func create(_ call: AdminRequest) async throws -> AdminResponse {
        guard let keys = try await keys(call) else { return .unknown("project") }
        let algorithm = call.text("alg", absent: "RS256").flatMap { JWSAlgorithm(exactly: $0) }
        guard let algorithm, TestRegistrationKeys.algorithms.contains(algorithm) else {
            return .refused(
                .unprocessableContent, code: "invalid_algorithm", "alg must be RS256 or ES256.")
        }
        guard let name = call.text("name"), let owner = call.text("owner"),
            name.utf8.count <= Self.maximumTextLength, owner.utf8.count <= Self.maximumTextLength
        else {
            return .refused(
                .unprocessableContent, code: "invalid_text",
                "name and owner must be texts of at most \(Self.maximumTextLength) bytes each.")
        }
        let maker = try await provider.administratorName(call.facts)
        switch try await keys.make(
            algorithm, name: name, owner: owner.isEmpty ? maker : owner)
        {
        case .failure(let refusal):
            return .refused(.conflict, code: refusal.code, refusal.message)
        case .success(let made):
            var object = Self.object(made.key)
            object["private_key"] = .string(made.pem.revealText())
            return .value(.object(object), .created)
        }
    }

    private func revoke(_ call: AdminRequest) async throws -> AdminResponse {
        guard let keys = try await keys(call) else { return .unknown("project") }
        return try await keys.revoke(kid: call[parameter: "key"]) ? .nothing : .unknown("test_key")
    }

    private func sweep(_ call: AdminRequest) async throws -> AdminResponse {
        guard let keys = try await keys(call) else { return .unknown("project") }
        let age = call.body["older_than"] ?? 0
        guard let seconds = age.integer, (0...315_360_000).contains(seconds) else {
            return .refused(
                .unprocessableContent, code: "invalid_age",
                "older_than must be a number of seconds, zero or more.")
        }
        let removed = try await keys.sweep(olderThan: .seconds(seconds))
        return .value(["removed": .integer(Int64(removed))])
    }

    private static func object(_ key: IssuerKey) -> JSONObject {
        var object = JSONObject()
        object["key_id"] = .string(key.kid)
        object["alg"] = .string(key.algorithm)
        object["name"] = .string(key.settings.name)
        object["owner"] = .string(key.settings.owner)
        object["issuer"] = .string(key.issuer)
        object["audience"] = .string(key.settings.audience)
        object["created_at"] = .string(key.createdAt.rfc3339)
        return object
    }
}
