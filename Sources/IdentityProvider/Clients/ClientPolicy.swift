// SPDX-License-Identifier: Apache-2.0
import JOSE
package import OAuth
import Primitives
package import Storage

/// Who may use a client, and how they must have signed in. Every grant that speaks of a person asks
/// it: when the person is let in, and again at each refresh.
package struct ClientPolicy: Sendable, Equatable {
    package let access: ClientAccess
    /// The weakest class that is enough; `nil` for any.
    package let requiredClass: ContextClass?
    /// Whether a class is required that does not exist here: then no sign-in is enough.
    private let isUnreachable: Bool

    init(_ metadata: ClientMetadata) {
        access = ClientAccess(stored: metadata.access)
        requiredClass = metadata.requiredContextClass.flatMap(ContextClass.init(exactly:))
        isUnreachable = metadata.requiredContextClass != nil && requiredClass == nil
    }

    /// Whether there is a restriction. Without one, the person is not read from the store.
    var isRestricted: Bool { access != .everybody || requiredClass != nil || isUnreachable }

    /// Why that person is not let in; `nil` when they are.
    ///
    /// - Parameter contextClass: what their sign-in stands for; `nil` where it does not count.
    package func refusal(of person: Person, contextClass: String?) -> Refusal? {
        accessRefusal(of: person) ?? contextClass.flatMap(classRefusal)
    }

    package func accessRefusal(of person: Person) -> Refusal? {
        guard !access.allows(person) else { return nil }
        let reason = access == .nobody ? "the client is for nobody" : "not in the client's access"
        var refusal = Refusal(
            Refusal.clientAccessCode,
            "You may not use this application. Ask an administrator for access.",
            reason: reason)
        refusal.auditDetails = ["reason": reason]
        return refusal
    }

    private func classRefusal(_ given: String) -> Refusal? {
        guard requiredClass != nil || isUnreachable else { return nil }
        let reached = ContextClass(exactly: given)
        if let reached, let requiredClass, reached >= requiredClass { return nil }
        var refusal = Refusal.unmetContext("the client's required_acr is not reached")
        refusal.auditDetails = ["reason": refusal.reason]
        return refusal
    }
}

extension Refusal {
    fileprivate static let clientAccessCode = "client_access"

    /// Whether a client's rules have refused the person.
    package var isOfClientPolicy: Bool {
        [Self.clientAccessCode, ErrorCode.unmetAuthenticationRequirements].contains(code)
    }
}

/// Who may use a client.
package enum ClientAccess: Sendable, Equatable {
    case everybody
    case nobody
    /// Who is in one of the groups, or named: by the user name that the project itself has given, or
    /// by the identifier of the person, which also names people of other providers.
    case only(groups: Set<String>, users: Set<String>)

    /// The keys of the mapping.
    static let keys = [
        StateKey("groups", "array", elements: ["string"]),
        StateKey("users", "array", elements: ["string"]),
    ]

    /// Unreadable text denies access to every person.
    init(stored text: String?) {
        guard let text else {
            self = .everybody
            return
        }
        let value = try? JSONParser.parse(Array(text.utf8), maximumBytes: 262_144)
        self = (try? value.map { try ClientAccess($0) }) ?? .nobody
    }

    init(_ value: JSONValue) throws(ValidationIssue) {
        if let word = value.string {
            switch word {
            case "everybody": self = .everybody
            case "nobody": self = .nobody
            default: throw .notOneOf(["everybody", "nobody", "{groups, users}"], for: word)
            }
            return
        }
        guard let object = value.object else { throw .wrongKind(value, wanted: .wordMapping) }
        let names = Self.keys.map(\.name)
        for member in object.members where !names.contains(member.name) {
            throw .unknownKey(member.name, among: names).of(member.name)
        }
        self = .only(
            groups: Set(try Self.texts(object["groups"], "groups")),
            users: Set(
                try Self.texts(object["users"], "users").map { UserName.canonical($0) ?? $0 }))
    }

    private static func texts(
        _ value: JSONValue?, _ name: String
    ) throws(ValidationIssue) -> [String] {
        guard let value else { return [] }
        switch TextRules.list(value, rule: { _ in nil }) {
        case .success(let texts): return texts
        case .failure(let complaint): throw complaint.of(name)
        }
    }

    func allows(_ person: Person) -> Bool {
        switch self {
        case .everybody: return true
        case .nobody: return false
        case .only(let groups, let users):
            if !groups.isDisjoint(with: person.claims.groups ?? []) { return true }
            if users.contains(person.id.description) { return true }
            return person.realm.isEmpty
                && UserName.canonical(person.username).map(users.contains) ?? false
        }
    }
}

extension TokenRequestContext {
    /// Whether the client's rules let that person have tokens. A grant of somebody who is refused
    /// ends: the client has to ask them anew.
    func policyRefusal(_ entitlement: inout TokenIssuance) async throws -> Refusal? {
        guard client.policy.isRestricted, let grant = entitlement.grant else { return nil }
        if entitlement.person == nil {
            entitlement.person = try await provider.store.person(grant.person)
        }
        // An installation that speaks of itself has shown no person.
        let shown = entitlement.subject == nil ? GrantedContext(grant).contextClass : nil
        guard let person = entitlement.person else { return .invalidGrant("the person is gone") }
        guard let refusal = client.policy.refusal(of: person, contextClass: shown) else {
            return nil
        }
        try await provider.store.revoke(grant: grant.id, now: facts.now)
        return Self.refusal(of: refusal)
    }

    /// As the token endpoint says it (RFC 6749 section 5.2).
    static func refusal(of refusal: Refusal) -> Refusal {
        var refused = Refusal(
            ErrorCode.invalidGrant,
            refusal.code == ErrorCode.unmetAuthenticationRequirements
                ? "The person must sign in more strongly for this client."
                : "The person may not use this client.", reason: refusal.reason)
        refused.auditDetails = refusal.auditDetails
        return refused
    }
}
