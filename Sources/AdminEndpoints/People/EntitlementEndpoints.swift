// SPDX-License-Identifier: Apache-2.0
import AppRegistration
import HTTPTypes
import IdentityProvider
import JOSE
import Primitives
import Storage

/// `/projects/{project}/entitlement-sets`, and what people were given of them.
struct EntitlementEndpoints: Sendable {
    private let provider: Provider

    init(_ provider: Provider) { self.provider = provider }

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
        ] + BulkEntitlementEndpoints(provider).all + SequenceEndpoints(provider).all
            + ExpendableEndpoints(provider).all
    }

    private func list(_ call: AdminRequest) async throws -> AdminResponse {
        guard
            let project = try await provider.store.projects.project(
                named: call[parameter: "project"])
        else { return .unknown("project") }
        let sets = try await provider.store.entitlements.entitlementSets(of: project.id)
        return try await PageRequest.answer(
            call, list: "entitlement-sets/\(project.id)", secrets: provider.secrets, all: sets,
            key: \.name, json: Self.json)
    }

    private func put(_ call: AdminRequest) async throws -> AdminResponse {
        guard
            let project = try await provider.store.projects.project(
                named: call[parameter: "project"])
        else { return .unknown("project") }
        let name = call[parameter: "set"]
        guard EntitlementValues.isName(name) else {
            return Self.invalid(EntitlementValues.ParseError.name(name).message)
        }
        switch Self.read(call.body["entitlements"]) {
        case .failure(let mistake): return Self.invalid(mistake.message)
        case .success(let entitlements):
            let set = EntitlementSet(
                project: project.id, name: name, entitlements: entitlements.text,
                createdAt: call.facts.now)
            let draft = draft(
                "admin.entitlement-set.put", project, nil, ["name": .string(name)], call)
            let isKept = try await provider.recorded(draft) { store in
                if call.onlyNew { return try await store.entitlements.add(set) == .added }
                if let earlier = call.onlyOver {
                    guard case .success(let known) = Self.read(earlier["entitlements"]) else {
                        return false
                    }
                    return try await store.entitlements.save(set, over: known.text) == .added
                }
                try await store.entitlements.save(set)
                return true
            }
            guard isKept else { return call.onlyNew ? .exists : .changedSince }
            return .value(Self.json(set))
        }
    }

    private func remove(_ call: AdminRequest) async throws -> AdminResponse {
        guard
            let project = try await provider.store.projects.project(
                named: call[parameter: "project"])
        else { return .unknown("project") }
        let name = call[parameter: "set"]
        let draft = draft(
            "admin.entitlement-set.remove", project, nil, ["name": .string(name)], call)
        let outcome = try await provider.recorded(draft) {
            try await $0.entitlements.remove(entitlementSet: name, of: project.id)
        }
        switch outcome {
        case .unknown: return .unknown("entitlement_set")
        case .inUse:
            return .refused(
                .conflict, code: "set_in_use",
                "This set is assigned to a person, or part of a sequence. Change that first.")
        case .removed: return .nothing
        }
    }

    private func show(_ call: AdminRequest) async throws -> AdminResponse {
        guard let person = try await provider.person(of: call),
            let overview = try await EntitlementOverview(
                of: person.id, in: provider.store.entitlements, now: call.facts.now)
        else { return .unknown("person") }
        var object = overview.json
        object["explicit"] = .object(EntitlementValues(stored: overview.given.explicit).json)
        return .value(.object(object))
    }

    private func assign(_ call: AdminRequest) async throws -> AdminResponse {
        guard let person = try await provider.person(of: call),
            let project = try await provider.store.projects.project(person.project)
        else { return .unknown("person") }
        guard let (set, sequence) = try await wanted(call, person) else {
            return Self.invalid("set and sequence must be texts.")
        }
        guard set.isEmpty || sequence.isEmpty else {
            return Self.invalid("Give a set or a sequence, not both.")
        }
        switch Self.read(call.body["explicit"] ?? [:]) {
        case .failure(let mistake): return Self.invalid(mistake.message)
        case .success(let explicit):
            let draft = draft(
                "admin.person.entitlements", project, person.id,
                ["set": .string(set), "sequence": .string(sequence)], call)
            let given = GivenEntitlements(
                set: set, sequence: sequence, explicit: explicit.text)
            let earlier = try await earlier(call, person)
            if call.onlyOver != nil, earlier == nil { return .changedSince }
            let outcome = try await provider.recorded(draft) {
                try await $0.entitlements.setEntitlements(
                    of: person.id, to: given, over: earlier, now: call.facts.now)
            }
            switch outcome {
            case .assigned: return try await show(call)
            case .changedMeanwhile: return .changedSince
            case .unknown:
                return .unknown(sequence.isEmpty ? "entitlement_set" : "entitlement_sequence")
            }
        }
    }

    /// What is to be replaced, as it is stored; `nil` when that does not matter, or when it is not what
    /// was shown.
    private func earlier(_ call: AdminRequest, _ person: Person) async throws -> GivenEntitlements?
    {
        guard let shown = call.onlyOver else { return nil }
        let known = try await provider.store.entitlements.entitlements(
            of: person.id, now: call.facts.now)
        guard let given = known?.given,
            given.sequence == shown["sequence"]?["name"]?.string ?? "",
            given.set == (given.sequence.isEmpty ? shown["set"]?.string ?? "" : ""),
            .object(EntitlementValues(stored: given.explicit).json) == shown["explicit"]
        else { return nil }
        return given
    }

    /// Returns the set and sequence of the body, or `nil` if they are not strings. A body that GET
    /// returned is valid too: in it `sequence` is an object, and `set` is the set that the sequence
    /// led to.
    private func wanted(
        _ call: AdminRequest, _ person: Person
    ) async throws -> (set: String, sequence: String)? {
        guard let set = call.text("set") else { return nil }
        guard let shown = call.body["sequence"]?["name"]?.string else {
            return call.text("sequence").map { (set, $0) }
        }
        let given = try await provider.store.entitlements.entitlements(
            of: person.id, now: call.facts.now)
        return (set == given?.set ? "" : set, shown)
    }

    private func draft(
        _ action: String, _ project: Project, _ person: Identifier<Person>?,
        _ details: JSONValue, _ call: AdminRequest
    ) -> AuditEventDraft {
        AuditEventDraft(
            action, in: project.id, facts: call.facts, person: person, details: details.text)
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
