// SPDX-License-Identifier: Apache-2.0
import AppRegistration
import HTTPTypes
import IdentityProvider
import JOSE
import Primitives
import Storage

/// `…/people/{person}/entitlements/expendable`: adds to or deducts from the expendable entitlements
/// of a person.
struct ExpendableEndpoints: Sendable {
    private let provider: Provider

    init(_ provider: Provider) { self.provider = provider }

    var all: [AdminEndpoint] {
        [
            AdminEndpoint(
                .post, "/projects/{project}/people/{person}/entitlements/expendable",
                "changeExpendables",
                "Adds or deducts amounts of expendable entitlements: all or none. A repetition with "
                    + "the same request_id changes nothing.",
                body: "ExpendableChange", answer: "Expendables", run: change)
        ]
    }

    private func change(_ call: AdminRequest) async throws -> AdminResponse {
        guard let person = try await provider.person(of: call) else { return .unknown("person") }
        guard let request = call.body["request_id"].flatMap(RequestName.init) else {
            return Self.invalid("request_id must be a UUID.")
        }
        guard let amounts = Self.amounts(call.body["amounts"]) else {
            return Self.invalid(
                "amounts must name 1 to \(EntitlementValues.maximumCount) entitlements, each with a whole "
                    + "number other than zero.")
        }
        let draft = AuditEventDraft(
            "admin.person.expendables", in: person.project, facts: call.facts, person: person.id,
            details: EntitlementOverview.json(amounts).text)
        let outcome = try await provider.store.entitlements.changeExpendables(
            ExpendableChange(
                person: person.id, request: request.bytes, amounts: amounts, at: call.facts.now,
                rememberedUntil: call.facts.now + EntitlementAccount.memory),
            recording: provider.audit.prepare(draft))
        if case .changed = outcome { provider.audit.wasRecorded(draft) }
        return Self.answer(outcome)
    }

    private static func answer(_ outcome: ExpendableOutcome) -> AdminResponse {
        switch outcome {
        case .changed(let left), .repeated(let left):
            .value(["remaining": EntitlementOverview.json(left)])
        case .tooLittle(let name, let left):
            .refused(
                .conflict, code: "negative_entitlement",
                "Of \(name) only \(left) are left; nothing was changed.")
        case .tooMuch(let name):
            .refused(
                .conflict, code: "overflowed_entitlement",
                "There would be more of \(name) than can be counted; nothing was changed.")
        case .requestTaken:
            .refused(
                .conflict, code: "request_id_taken",
                "This request_id stood for another change. Choose a new one.")
        case .unknownPerson: .unknown("person")
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
        .refused(.unprocessableContent, code: "invalid_entitlements", message)
    }
}
