// SPDX-License-Identifier: Apache-2.0
import HTTPTypes
import JOSE
import Primitives
import ProviderAdministration
import ProviderCore
import ProviderInstallations
import Storage

/// `/projects/{project}/test-keys`: keys by which tests of apps register as often as they like.
struct TestKeyEndpoints: Sendable {
    let scope: ProjectScope

    private static let maximumTextLength = 128

    func list(_ call: AdminRequest) async throws -> AdminResponse {
        try await scope.list(
            call, json: { .object(Self.object($0)) },
            { try await TestKeyAdministration($0).list(startingWith: call.search) })
    }

    func create(_ call: AdminRequest) async throws -> AdminResponse {
        try await scope.open(call) {
            let algorithm = call.text("alg", absent: "RS256").flatMap { JWSAlgorithm(exactly: $0) }
            guard let algorithm, TestRegistrationKeys.algorithms.contains(algorithm) else {
                return .invalid("invalid_algorithm", "alg must be RS256 or ES256.")
            }
            guard let name = call.text("name"), let owner = call.text("owner"),
                max(name.utf8.count, owner.utf8.count) <= Self.maximumTextLength
            else {
                return .invalid(
                    "invalid_text",
                    "name and owner must be texts of at most \(Self.maximumTextLength) bytes each.")
            }
            let made = try await TestKeyAdministration($0).create(
                algorithm, name: name, owner: owner)
            return AdminResponse(made) {
                var object = Self.object($0.key)
                object["private_key"] = .string($0.pem.revealText())
                return .value(.object(object), .created)
            }
        }
    }

    func revoke(_ call: AdminRequest) async throws -> AdminResponse {
        try await scope.open(call) {
            AdminResponse(try await TestKeyAdministration($0).revoke(call[.key]))
        }
    }

    func sweep(_ call: AdminRequest) async throws -> AdminResponse {
        try await scope.open(call) {
            let age = call.body["older_than"] ?? 0
            guard let seconds = age.integer, (0...315_360_000).contains(seconds) else {
                return .invalid(
                    "invalid_age", "older_than must be a number of seconds, zero or more.")
            }
            let removed = try await TestKeyAdministration($0)
                .removePeople(olderThan: .seconds(seconds))
            return .value(["removed": .integer(Int64(removed))])
        }
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
