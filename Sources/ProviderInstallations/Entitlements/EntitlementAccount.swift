// SPDX-License-Identifier: Apache-2.0
import AppRegistration
package import JOSE
package import Primitives
package import ProviderCore
import ProviderPeople
import ProviderTokens
package import Storage

/// Reads and consumes the entitlements of the person of an access token. The token needs the scope
/// `entitlements`.
package struct EntitlementAccount: Sendable {
    package static let scope = "entitlements"
    /// The time for which a request identifier is stored, so that a repeated request changes
    /// nothing.
    package static let memory = TimeSpan.days(30)

    package let person: Person
    private let context: CeremonyContext

    /// - Parameter accessToken: `nil` if the request had none.
    package static func open(
        _ accessToken: PresentedAccessToken?, in context: CeremonyContext
    ) async throws -> Result<EntitlementAccount, Refusal> {
        let found: AccessTokenSubject?
        switch try await AccessTokenSubject.find(accessToken, in: context) {
        case .success(let bearer): found = bearer
        case .failure(let refusal): return .failure(refusal)
        }
        guard let bearer = found else {
            return .failure(EntitlementCode.notSignedIn.refusal(because: "no standing token"))
        }
        guard bearer.token.hasScope(scope) else {
            return .failure(EntitlementCode.scopeMissing.refusal(because: "scope"))
        }
        return .success(EntitlementAccount(person: bearer.person, context: context))
    }

    /// Returns the current entitlements, or `nil` if the person does not exist.
    package func overview() async throws -> EntitlementOverview? {
        try await EntitlementOverview(
            of: person.id, in: context.store.entitlements, now: context.now)
    }

    /// Consumes an amount of an expendable entitlement.
    ///
    /// - Parameter request: 16 bytes that the client chose. A repeated request is idempotent.
    /// - Returns: the remaining amount.
    package func consume(
        _ name: String, amount: Int64, request: [UInt8]
    ) async throws -> Result<Int64, Refusal> {
        let details: JSONValue = ["name": .string(name), "amount": .integer(amount)]
        let draft = AuditEventDraft(
            "entitlement.consumed", in: context.project, facts: context.facts, person: person.id,
            details: details.text)
        let outcome = try await context.store.entitlements.consumeEntitlement(
            name, amount: amount, of: person.id, request: request, now: context.now,
            rememberedUntil: context.now + Self.memory,
            recording: context.provider.audit.prepare(draft))
        let code: EntitlementCode
        switch outcome {
        case .changed(let left):
            context.provider.audit.wasRecorded(draft)
            return .success(left[name] ?? 0)
        case .repeated(let left): return .success(left[name] ?? 0)
        case .tooLittle, .tooMuch: code = .insufficient
        case .requestTaken: code = .requestTaken
        case .unknownPerson: code = .notSignedIn
        }
        return try await context.provider.audit.refuse(
            draft, with: code.refusal(because: "\(outcome)"))
    }
}

/// The entitlements of a person.
package struct EntitlementOverview: Sendable {
    package let given: PersonalEntitlements
    package let expendables: [String: Int64]

    package init?(
        of person: Identifier<Person>, in store: any EntitlementStore, now: Timestamp
    ) async throws {
        guard let given = try await store.entitlements(of: person, now: now) else { return nil }
        self.given = given
        expendables = try await store.expendables(of: person)
    }

    /// `set`, `sequence`, `effective`, `expendable`.
    package var json: JSONObject {
        var object = JSONObject()
        if !given.set.isEmpty { object["set"] = .string(given.set) }
        if let place = given.place {
            var sequence = JSONObject()
            sequence["name"] = .string(place.sequence)
            sequence["started_at"] = .string(place.startedAt.rfc3339)
            sequence["changes_at"] = place.changesAt.map { .string($0.rfc3339) }
            object["sequence"] = .object(sequence)
        }
        object["effective"] = .object(given.effective.json)
        object["expendable"] = Self.json(expendables)
        return object
    }

    package static func json(_ amounts: [String: Int64]) -> JSONValue {
        .object(
            JSONObject(
                amounts.sorted { $0.key < $1.key }
                    .map { .init(name: $0.key, value: .integer($0.value)) }))
    }
}
