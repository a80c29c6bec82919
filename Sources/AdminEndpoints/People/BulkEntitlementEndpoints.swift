// SPDX-License-Identifier: Apache-2.0
import HTTPTypes
import JOSE
import Primitives
import ProviderAdministration
import ProviderCore
import ProviderInstallations
import Storage

/// `/projects/{project}/entitlement-sets/{set}/give` and `/take`: for many people, in batches.
struct BulkEntitlementEndpoints: Sendable {
    let scope: ProjectScope

    func assign(_ call: AdminRequest) async throws -> AdminResponse {
        try await change(call, isGiven: true)
    }

    func remove(_ call: AdminRequest) async throws -> AdminResponse {
        try await change(call, isGiven: false)
    }

    private func change(_ call: AdminRequest, isGiven: Bool) async throws -> AdminResponse {
        try await scope.open(call) {
            AdminResponse(
                try await BulkEntitlementAdministration($0).change(
                    call[.set], isGiven: isGiven, call.body), Self.answer)
        }
    }

    private static func answer(_ batch: BulkEntitlementAdministration.Batch) -> AdminResponse {
        var object = JSONObject()
        object["items"] = .array(batch.results.enumerated().map { json($1, number: $0 + 1) })
        object["changed"] = .integer(Int64(batch.changed))
        object["next"] = batch.next.map(JSONValue.string)
        return .value(.object(object))
    }

    private static func json(_ result: BulkEntitlements.Result, number: Int) -> JSONValue {
        var object = JSONObject()
        object["number"] = .integer(Int64(number))
        object["name"] = .string(result.subject.name)
        object["sub"] = result.subject.person.map { .string($0.id.description) }
        object["outcome"] = .string(result.outcome.rawValue)
        if let before = result.before {
            if let place = before.place {
                object["sequence_before"] = .string(place.sequence)
            } else if !before.set.isEmpty {
                object["set_before"] = .string(before.set)
            }
        }
        return .object(object)
    }
}
