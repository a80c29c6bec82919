// SPDX-License-Identifier: Apache-2.0
import HTTPTypes
import JOSE
import Primitives
import ProviderAdministration
import ProviderCore
import ProviderInstallations
import ProviderSettings
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
        try await scope.open(call) { project in
            let change = EntitlementSetChange(set: call[.set], isGiven: isGiven)
            let wish: BulkSelection
            do throws(BulkSelection.ParseError) { wish = try BulkSelection(call.body) } catch {
                return .invalid(error.code, error.message)
            }
            let list = "bulk/\(project.project.id)/\(change.set)/\(isGiven)/\(wish.filter)"
            let cursor = PageCursor(list: list, secrets: scope.provider.secrets)
            var last: String?
            if let text = wish.cursor {
                guard let after = cursor.decode(text) else { return .refused(.invalidCursor) }
                last = after
            }
            guard let subjects = try await wish.subjects(in: project, after: last) else {
                return Self.duplicate
            }
            let bulk = BulkEntitlements(
                scope.provider, project: project.project, facts: call.facts)
            guard let results = try await bulk.run(change, for: subjects.all, isDry: wish.isDry)
            else { return .unknown("entitlement_set") }
            return Self.answer(results, next: subjects.next.map(cursor.encode))
        }
    }

    private static let duplicate = AdminResponse.invalid(
        "duplicate_person", "A person is named twice.")

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
    struct ParseError: Error { let code: String, message: String }

    var people: [String]?
    var search = ""
    /// Selects only people with this set; an empty string selects people without a set.
    var set: String?
    var isDry = false
    var cursor: String?
    var limit = BulkEntitlements.maximumPeople

    /// Identifies the filter. A cursor is valid only with the filter it was issued for.
    var filter: String { "\(search)\u{0}\(set ?? "\u{1}")" }

    init(_ body: JSONValue) throws(ParseError) {
        let most = BulkEntitlements.maximumPeople
        let reader = JSONReader(body.object ?? JSONObject()) {
            ParseError(code: "invalid_people", message: "\($0).")
        }
        people = try reader.optional(
            "people",
            .strings.map("1 to \(most) names") { 1...most ~= $0.count ? $0 : nil })
        for name in ["filter", "cursor"] where people != nil && body[name] != nil {
            throw reader.malformed(name, "absent if people are named")
        }
        if people == nil {
            try find(try reader.object("filter"))
            cursor = try reader.optional("cursor", .string)
        }
        isDry = try reader.optional("dry_run", .bool) ?? false
        limit = Int(try reader.optional("limit", .integer(1...Int64(most))) ?? Int64(most))
        try reader.finish()
    }

    /// Returns `nil` if a person is named twice.
    func subjects(
        in scope: AdministrativeScope, after last: String?
    ) async throws -> BulkEntitlementSubjects? {
        guard let people else {
            return try await BulkEntitlementSubjects(
                startingWith: search, set: set, after: last, limit: limit, in: scope)
        }
        return try await BulkEntitlementSubjects(named: people, in: scope)
    }

    private mutating func find(_ filter: JSONReader<ParseError>) throws(ParseError) {
        let beginning = JSONForm<String>.string.map("the beginning of a user name") {
            $0.isEmpty ? "" : UserName.canonical($0)
        }
        search = try filter.optional("search", beginning) ?? ""
        set = try filter.optional("set", .string)
        try filter.finish()
    }
}
