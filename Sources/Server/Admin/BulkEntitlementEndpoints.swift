// SPDX-License-Identifier: Apache-2.0
import HTTPTypes
import IdentityProvider
import JOSE
import Primitives
import Storage

/// `/projects/{project}/entitlement-sets/{set}/give` and `/take`: for many people, in batches.
struct BulkEntitlementEndpoints: Sendable {
    private let scope: ProjectScope

    init(_ provider: Provider) { scope = ProjectScope(provider) }

    private static let path = "/projects/{project}/entitlement-sets/{set}"

    var all: [AdminEndpoint] {
        [
            AdminEndpoint(
                .post, Self.path + "/give", "giveEntitlementSet",
                "Gives the set to many people, in the place of another set or sequence. What is "
                    + "their own stays. Changes a batch in one step; go on with `next`.",
                body: "ManyPeople", answer: "ManyResults"
            ) { try await change($0, isGiven: true) },
            AdminEndpoint(
                .post, Self.path + "/take", "takeEntitlementSet",
                "Takes the set from those of many people who have it. As giving otherwise.",
                body: "ManyPeople", answer: "ManyResults"
            ) { try await change($0, isGiven: false) },
        ]
    }

    private func change(_ call: AdminRequest, isGiven: Bool) async throws -> AdminResponse {
        try await scope.project(call) { project in
            let change = EntitlementSetChange(set: call[parameter: "set"], isGiven: isGiven)
            let wish: BulkSelection
            do throws(BulkSelection.Complaint) { wish = try BulkSelection(call.body) } catch {
                return .refused(.unprocessableContent, code: error.code, error.message)
            }
            let list = "bulk/\(project.id)/\(change.set)/\(isGiven)/\(wish.filter)"
            let cursor = PageCursor(list: list, secrets: scope.provider.secrets)
            var last: String?
            if let text = wish.cursor {
                guard let after = cursor.decode(text) else { return PageRequestError.cursor.answer }
                last = after
            }
            guard let (subjects, next) = try await subjects(wish, of: project, after: last) else {
                return Self.duplicate
            }
            let bulk = BulkEntitlements(scope.provider, project: project, facts: call.facts)
            guard let results = try await bulk.run(change, for: subjects, isDry: wish.isDry)
            else { return .unknown("entitlement_set") }
            return Self.answer(results, next: next.map(cursor.encode))
        }
    }

    private static let duplicate = AdminResponse.refused(
        .unprocessableContent, code: "duplicate_person", "Somebody is named twice.")

    /// Returns the people of this batch, and the key of the last one if more follow. Returns `nil`
    /// if the body names a person twice.
    private func subjects(
        _ wish: BulkSelection, of project: Project, after last: String?
    ) async throws -> ([BulkEntitlements.Subject], next: String?)? {
        guard let names = wish.people else {
            let found = try await PeopleSearch(scope.provider, project.id)
                .named(wish.search, after: last, limit: wish.limit + 1)
            let page = found.prefix(wish.limit)
            let fitting = page.filter { person in
                wish.set.map { person.entitlementSet == $0 } ?? true
            }
            return (
                fitting.map { .init(name: $0.username, person: $0) },
                found.count > wish.limit ? page.last?.qualifiedName : nil
            )
        }
        var subjects: [BulkEntitlements.Subject] = []
        var seen: Set<Identifier<Person>> = []
        for name in names {
            let person = try await scope.provider.person(name, in: project)
            if let person, !seen.insert(person.id).inserted { return nil }
            subjects.append(.init(name: name, person: person))
        }
        return (subjects, nil)
    }

    private static func answer(
        _ results: [BulkEntitlements.Result], next: String?
    ) -> AdminResponse {
        var object = JSONObject()
        object["items"] = .array(results.enumerated().map { json($1, number: $0 + 1) })
        object["changed"] = .integer(Int64(results.count { $0.outcome == .changed }))
        object["next"] = next.map(JSONValue.string)
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

/// The people that a bulk change concerns: a list of names, or a filter.
private struct BulkSelection {
    struct Complaint: Error { let code: String, message: String }

    var people: [String]?
    var search = ""
    /// Selects only people with this set; an empty string selects people without a set.
    var set: String?
    var isDry = false
    var cursor: String?
    var limit = BulkEntitlements.mostPeople

    /// Identifies the filter. A cursor is valid only with the filter it was issued for.
    var filter: String { "\(search)\u{0}\(set ?? "\u{1}")" }

    init(_ body: JSONValue) throws(Complaint) {
        let known = ["people", "filter", "dry_run", "cursor", "limit"]
        try Self.check(body.object, known)
        if let people = body["people"] {
            try name(people, body)
        } else {
            try find(body["filter"])
        }
        if let dry = body["dry_run"] {
            guard let isDry = dry.bool else {
                throw Self.complaint("dry_run must be true or false")
            }
            self.isDry = isDry
        }
        cursor = try Self.text(body["cursor"], "cursor")
        if let asked = body["limit"] {
            guard let limit = asked.integer,
                (1...Int64(BulkEntitlements.mostPeople)).contains(limit)
            else { throw Self.complaint("limit must be 1 to \(BulkEntitlements.mostPeople)") }
            self.limit = Int(limit)
        }
    }

    private mutating func name(_ people: JSONValue, _ body: JSONValue) throws(Complaint) {
        guard body["filter"] == nil, body["cursor"] == nil, let names = people.strings,
            (1...BulkEntitlements.mostPeople).contains(names.count)
        else {
            throw Self.complaint("people must be 1 to \(BulkEntitlements.mostPeople) names")
        }
        self.people = names
    }

    private mutating func find(_ filter: JSONValue?) throws(Complaint) {
        guard let object = filter?.object else {
            throw Self.complaint("name people, or give a filter")
        }
        try Self.check(object, ["search", "set"])
        let text = try Self.text(object["search"], "search") ?? ""
        guard let search = text.isEmpty ? "" : UserName.canonical(text) else {
            throw Self.complaint("search must be the beginning of a user name")
        }
        self.search = search
        set = try Self.text(object["set"], "set")
    }

    private static func check(_ object: JSONObject?, _ known: [String]) throws(Complaint) {
        if let stranger = object?.names.first(where: { !known.contains($0) }) {
            throw complaint("\(stranger.prefix(64)) is not known here")
        }
    }

    private static func text(_ value: JSONValue?, _ name: String) throws(Complaint) -> String? {
        guard let value else { return nil }
        guard let text = value.string else { throw complaint("\(name) must be a text") }
        return text
    }

    private static func complaint(_ message: String) -> Complaint {
        Complaint(code: "invalid_people", message: message + ".")
    }
}
