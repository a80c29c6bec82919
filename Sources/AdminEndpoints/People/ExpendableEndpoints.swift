// SPDX-License-Identifier: Apache-2.0
import AppRegistration
import HTTPTypes
import JOSE
import Primitives
import ProviderAdministration
import ProviderCore
import ProviderInstallations
import Storage

/// `…/people/{person}/entitlements/expendable`: adds to or deducts from the expendable entitlements
/// of a person.
struct ExpendableEndpoints: Sendable {
    let scope: ProjectScope

    func change(_ call: AdminRequest) async throws -> AdminResponse {
        try await scope.person(call) { project, person in
            guard let request = call.body["request_id"].flatMap(RequestName.init) else {
                return Self.invalid("request_id must be a UUID.")
            }
            guard let amounts = Self.amounts(call.body["amounts"]) else {
                return Self.invalid(
                    "amounts must name 1 to \(EntitlementValues.maximumCount) entitlements, each "
                        + "with a whole number other than zero.")
            }
            let left = try await PersonalEntitlementAdministration(project, person)
                .change(amounts, request: request)
            return AdminResponse(left) { .value(["remaining": EntitlementOverview.json($0)]) }
        }
    }

    private static func amounts(_ value: JSONValue?) -> [String: Int64]? {
        guard let object = value?.object,
            (1...EntitlementValues.maximumCount).contains(object.members.count)
        else { return nil }
        let greatest = EntitlementValues.greatestAmount
        var amounts: [String: Int64] = [:]
        for member in object.members {
            guard EntitlementValues.isName(member.name), let amount = member.value.integer,
                amount != 0, (-greatest...greatest).contains(amount)
            else { return nil }
            amounts[member.name] = amount
        }
        return amounts
    }

    private static func invalid(_ message: String) -> AdminResponse {
        .invalid("invalid_entitlements", message)
    }
}
