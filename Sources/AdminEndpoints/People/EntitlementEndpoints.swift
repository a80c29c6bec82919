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
    let scope: ProjectScope

    func list(_ call: AdminRequest) async throws -> AdminResponse {
        try await scope.list(
            call, json: { .object(StateExport.object($0)) },
            { try await EntitlementSetAdministration($0).sets() })
    }

    func put(_ call: AdminRequest) async throws -> AdminResponse {
        try await scope.open(call) { project in
            let name = call[.set]
            guard EntitlementValues.isName(name) else {
                return Self.invalid(EntitlementValues.ParseError.name(name).message)
            }
            switch Self.read(call.body["entitlements"]) {
            case .failure(let mistake): return Self.invalid(mistake.message)
            case .success(let entitlements):
                let condition = call.condition { try? Self.read($0["entitlements"]).get() }
                guard let condition else { return .refused(.changedSince) }
                return AdminResponse(
                    try await EntitlementSetAdministration(project)
                        .put(set: name, entitlements, if: condition)
                ) { .value(.object(StateExport.object($0))) }
            }
        }
    }

    func remove(_ call: AdminRequest) async throws -> AdminResponse {
        try await scope.open(call) {
            AdminResponse(
                try await EntitlementSetAdministration($0).remove(set: call[.set]))
        }
    }

    func show(_ call: AdminRequest) async throws -> AdminResponse {
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

    func assign(_ call: AdminRequest) async throws -> AdminResponse {
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
                        explicit: explicit))
                if case .failure(let refusal) = result { return .refused(refusal) }
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
        .invalid("invalid_entitlements", message)
    }
}
