// SPDX-License-Identifier: Apache-2.0
import AppRegistration
import HTTPTypes
import JOSE
import Primitives
import ProviderAdministration
import ProviderCore
import ProviderInstallations
import ProviderPeople
import Storage

/// `/projects/{project}/entitlement-sets`, and what people were given of them.
struct EntitlementEndpoints: Sendable {
    private let scope: ProjectScope

    init(_ provider: Provider) { scope = ProjectScope(provider) }

    private static let sets = "/projects/{project}/entitlement-sets"
    private static let ofPerson = "/projects/{project}/people/{person}/entitlements"

    var all: [AdminEndpoint] {
        [
            AdminEndpoint(
                .get, Self.sets, "listEntitlementSets", "Entitlement sets, in order of name.",
                query: AdminEndpoint.optionalPaging, answer: "EntitlementSets", run: list),
            AdminEndpoint(
                .put, Self.sets + "/{set}", "putEntitlementSet",
                "Creates the set, or replaces its entitlements.", body: "EntitlementSet",
                answer: "EntitlementSet", run: put),
            AdminEndpoint(
                .delete, Self.sets + "/{set}", "removeEntitlementSet",
                "Removes a set that is not assigned to a person.", run: remove),
            AdminEndpoint(
                .get, Self.ofPerson, "showEntitlements", "The entitlements of a person.",
                answer: "PersonalEntitlements", run: show),
            AdminEndpoint(
                .put, Self.ofPerson, "setEntitlements",
                "Gives a person a set, or a sequence of sets, or none, and personal entitlements. A "
                    + "person who has the sequence already continues in it.",
                body: "NewEntitlements", answer: "PersonalEntitlements", run: assign),
        ] + BulkEntitlementEndpoints(scope.provider).all
            + SequenceEndpoints(scope.provider).all + ExpendableEndpoints(scope.provider).all
    }

    private func list(_ call: AdminRequest) async throws -> AdminResponse {
        try await scope.open(call) { project in
            try await PageRequest.answer(
                call, list: "entitlement-sets/\(project.project.id)",
                secrets: scope.provider.secrets,
                all: EntitlementSetAdministration(project).sets(), key: \.name, json: Self.json)
        }
    }

    private func put(_ call: AdminRequest) async throws -> AdminResponse {
        try await scope.open(call) { project in
            let name = call[parameter: "set"]
            guard EntitlementValues.isName(name) else {
                return Self.invalid(EntitlementValues.ParseError.name(name).message)
            }
            switch Self.read(call.body["entitlements"]) {
            case .failure(let mistake): return Self.invalid(mistake.message)
            case .success(let entitlements):
                let condition = call.condition { try? Self.read($0["entitlements"]).get() }
                guard let condition else { return .changedSince }
                return AdminResponse(
                    try await EntitlementSetAdministration(project)
                        .put(set: name, entitlements, if: condition)
                ) { .value(Self.json($0)) }
            }
        }
    }

    private func remove(_ call: AdminRequest) async throws -> AdminResponse {
        try await scope.open(call) {
            AdminResponse(
                try await EntitlementSetAdministration($0).remove(set: call[parameter: "set"]))
        }
    }

    private func show(_ call: AdminRequest) async throws -> AdminResponse {
        try await scope.person(call) {
            try await Self.shown(PersonalEntitlementAdministration($0, $1))
        }
    }

    private static func shown(
        _ entitlements: PersonalEntitlementAdministration
    ) async throws -> AdminResponse {
        guard let overview = try await entitlements.overview() else { return .unknown("person") }
        var object = overview.json
        object["explicit"] = .object(EntitlementValues(stored: overview.given.explicit).json)
        return .value(.object(object))
    }

    private func assign(_ call: AdminRequest) async throws -> AdminResponse {
        try await scope.person(call) { project, person in
            let shown = call.body["sequence"]?["name"]?.string
            guard let set = call.text("set"), let sequence = shown ?? call.text("sequence") else {
                return Self.invalid("set and sequence must be texts.")
            }
            switch Self.read(call.body["explicit"] ?? [:]) {
            case .failure(let mistake): return Self.invalid(mistake.message)
            case .success(let explicit):
                let entitlements = PersonalEntitlementAdministration(project, person)
                let result = try await entitlements.assign(
                    .init(
                        set: set, sequence: sequence, isOverview: shown != nil,
                        explicit: explicit),
                    if: call.condition)
                if case .failure(let refusal) = result { return AdminResponse(refusal) }
                return try await Self.shown(entitlements)
            }
        }
    }

    private static func read(
        _ value: JSONValue?
    ) -> Result<EntitlementValues, EntitlementValues.ParseError> {
        guard let object = value?.object else { return .failure(.value("entitlements")) }
        return Result { () throws(EntitlementValues.ParseError) in try EntitlementValues(object) }
    }

    private static func invalid(_ message: String) -> AdminResponse {
        .refused(.unprocessableContent, code: "invalid_entitlements", message)
    }

    private static func json(_ set: EntitlementSet) -> JSONValue {
        [
            "name": .string(set.name),
            "entitlements": .object(EntitlementValues(stored: set.entitlements).json),
        ]
    }
}
