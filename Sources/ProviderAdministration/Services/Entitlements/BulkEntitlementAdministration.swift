// SPDX-License-Identifier: Apache-2.0
package import JOSE
import ProviderCore
package import ProviderInstallations
import ProviderSettings
import Storage

/// Gives an entitlement set to many people, or removes it from them, in batches.
package struct BulkEntitlementAdministration: Sendable {
    private let scope: AdministrativeScope

    package init(_ scope: AdministrativeScope) { self.scope = scope }

    /// The results of one batch.
    package struct Batch: Sendable {
        package let results: [BulkEntitlements.Result]
        /// The cursor of the next batch; `nil` for the last one.
        package let next: String?

        package var changed: Int { results.count { $0.outcome == .changed } }
    }

    /// - Parameter document: which people, as the Admin API takes it.
    package func change(
        _ set: String, isGiven: Bool, _ document: JSONValue
    ) async throws -> AdministrativeResult<Batch> {
        let selection: BulkSelection
        do throws(BulkSelection.ParseError) { selection = try BulkSelection(document) } catch {
            return .failure(.invalid(error.code, error.message))
        }
        let cursor = PageCursor(
            list: "bulk/\(scope.project.id)/\(set)/\(isGiven)/\(selection.filter)",
            secrets: scope.provider.secrets)
        var last: String?
        if let text = selection.cursor {
            guard let after = cursor.decode(text) else { return .failure(.invalidCursor) }
            last = after
        }
        guard let subjects = try await selection.subjects(in: scope, after: last) else {
            return .failure(.invalid("duplicate_person", "A person is named twice."))
        }
        let results = try await BulkEntitlements(
            scope.provider, project: scope.project, facts: scope.facts
        ).run(
            EntitlementSetChange(set: set, isGiven: isGiven), for: subjects.all,
            isDry: selection.isDry)
        guard let results else { return .failure(.unknown("entitlement_set")) }
        return .success(Batch(results: results, next: subjects.next.map(cursor.encode)))
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
