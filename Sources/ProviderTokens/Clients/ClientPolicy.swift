// SPDX-License-Identifier: Apache-2.0
import JOSE
package import OAuth
import Primitives
package import ProviderCore
import ProviderSettings
package import Storage

/// The policy of a client: the people who may use it, and the required authentication class. It is
/// evaluated for every grant of a person, at issuance and at each refresh.
package struct ClientPolicy: Sendable, Equatable {
    package let access: ClientAccess
    /// The minimum class, or `nil` if all classes are allowed.
    package let requiredClass: ContextClass?
    /// Whether the required class is unknown to this version. Then every sign-in is refused.
    private let isUnreachable: Bool

    package init(_ metadata: ClientMetadata) {
        access = ClientAccess(stored: metadata.access)
        requiredClass = metadata.requiredContextClass.flatMap(ContextClass.init(exactly:))
        isUnreachable = metadata.requiredContextClass != nil && requiredClass == nil
    }

    /// Whether the policy has a restriction. If not, callers need not read the person from the
    /// store.
    var isRestricted: Bool { access != .everybody || requiredClass != nil || isUnreachable }

    /// The refusal of a person, or `nil` if the policy allows them.
    ///
    /// - Parameter contextClass: the class of the sign-in, or `nil` to skip the check of the class.
    package func refusal(of person: Person, contextClass: String?) -> Refusal? {
        accessRefusal(of: person) ?? contextClass.flatMap(classRefusal)
    }

    package func accessRefusal(of person: Person) -> Refusal? {
        guard !access.allows(person) else { return nil }
        let reason =
            access == .nobody ? "the client is closed to all people" : "not in the client's access"
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

    /// Whether the refusal comes from the policy of a client.
    package var isOfClientPolicy: Bool {
        [Self.clientAccessCode, ErrorCode.unmetAuthenticationRequirements].contains(code)
    }
}

/// The people who may use a client.
package enum ClientAccess: Sendable, Equatable {
    case everybody
    case nobody
    /// Members of the groups, and the named people: a username that the project itself issued, or
    /// the identifier of a person, which can also name people of other issuers.
    case only(groups: Set<String>, users: Set<String>)

    /// The keys of the state file mapping.
    static let keys = [
        StateKey("groups", "array", elements: ["string"]),
        StateKey("users", "array", elements: ["string"]),
    ]

    /// Parses the stored text. Text that cannot be parsed denies access to every person.
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
    /// Reads the person of the grant, if the client policy needs them and no phase has read them.
    func readPersonForPolicy(_ entitlement: inout TokenIssuance) async throws {
        guard client.policy.isRestricted, entitlement.person == nil, let grant = entitlement.grant
        else { return }
        entitlement.person = try await provider.store.people.person(grant.person)
    }

    /// The refusal of the client policy for the person of the grant, or `nil`. A refusal revokes
    /// the grant, so the client must start a new authorization.
    func policyRefusal(of entitlement: TokenIssuance) async throws -> Refusal? {
        guard client.policy.isRestricted, let grant = entitlement.grant else { return nil }
        // A request of an installation without a person contains no sign-in, so its class is not
        // checked.
        let shown = entitlement.subject == nil ? GrantedContext(grant).contextClass : nil
        guard let person = entitlement.person else {
            return .invalidGrant("the person does not exist")
        }
        guard let refusal = client.policy.refusal(of: person, contextClass: shown) else {
            return nil
        }
        try await provider.store.grants.revoke(grant: grant.id, now: facts.now)
        return Self.refusal(of: refusal)
    }

    /// Translates a refusal of the policy to the token endpoint (RFC 6749 section 5.2).
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
