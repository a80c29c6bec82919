// SPDX-License-Identifier: Apache-2.0
package import Primitives
package import ProviderCore
import ProviderSettings
package import Storage

/// Manages API tokens, which administrators create for programs. A token is displayed once; the
/// store has only its keyed hash.
package struct APITokens: Sendable {
    private let provider: Provider
    private let facts: RequestMetadata

    package init(_ provider: Provider, facts: RequestMetadata) {
        self.provider = provider
        self.facts = facts
    }

    /// In seconds: one hour to 366 days.
    package static let lifetimes: ClosedRange<Int64> = 3600...(366 * 86_400)
    package static let defaultLifetime: Int64 = 90 * 86_400
    /// The roles that apply within one project.
    package static let roles: [Administrator.Role] = [
        .projectAdministrator, .developer, .support, .auditor,
    ]

    /// - Parameter rights: the rights of the creator; `nil` for the operator token, which has all.
    /// - Returns: the record and the token.
    package func make(
        _ name: String, role: Administrator.Role, lifetime: TimeSpan, in project: Project,
        rights: AdministratorRights?
    ) async throws -> Result<(APIToken, text: String), Refusal> {
        guard Self.roles.contains(role) else {
            return .failure(
                Refusal("owner_of_all", "An owner's role is for every project.", reason: "scope"))
        }
        guard rights?.covers(role, in: project.id) ?? true else { return .failure(Self.higher) }
        // `gha_` is the prefix of the operator token.
        let text = "ghr_" + provider.newSecret()
        let token = APIToken(
            id: Identifier(now: facts.now, random: provider.random), project: project.id,
            hash: hash(text), name: name, role: role, maker: facts.administrator,
            makerName: try await provider.administratorName(facts), createdAt: facts.now,
            expiresAt: facts.now + lifetime)
        let draft = draft("admin.api-token.create", token.id, name, role, project)
        guard
            try await provider.store.apiTokens.add(token, recording: provider.audit.prepare(draft))
        else {
            return .failure(
                Refusal(
                    "unknown_project", "There is no such project.",
                    reason: "deleted in the meantime"))
        }
        provider.audit.wasRecorded(draft)
        return .success((token, text: text))
    }

    /// Returns `false` if the project has no active token with this id.
    package func revoke(
        _ id: Identifier<APIToken>, of project: Project
    ) async throws -> Bool {
        let draft = draft("admin.api-token.revoke", id, nil, nil, project)
        guard
            try await provider.store.apiTokens.revoke(
                apiToken: id, of: project.id, now: facts.now,
                recording: provider.audit.prepare(draft))
        else { return false }
        provider.audit.wasRecorded(draft)
        return true
    }

    /// Returns the token, or `nil` if it is unknown, expired or revoked.
    package func find(_ presented: String) async throws -> APIToken? {
        guard presented.hasPrefix("ghr_"),
            let token = try await provider.store.apiTokens.apiToken(hash: hash(presented)),
            token.isGood(at: facts.now)
        else { return nil }
        if token.lastUsedAt.map({ facts.now - $0 >= APIToken.useGrain }) ?? true {
            try await provider.store.apiTokens.noteUse(of: token.id, now: facts.now)
        }
        return token
    }

    /// The current rights of a token: those of its role, limited to the current rights of its
    /// owner. They are read at every use, like the roles of a signed-in administrator.
    package func rights(of token: APIToken) async throws -> AdministratorRights {
        guard let keeper = token.maker else { return AdministratorRights(token, within: nil) }
        return AdministratorRights(token, within: try await roles(of: keeper))
    }

    /// The roles of a person who may be disabled or deleted; then there are none.
    private func roles(of keeper: Identifier<Person>) async throws -> [Administrator] {
        let isThere = try await provider.store.people.person(keeper)?.disabled == false
        return isThere ? try await provider.store.administrators.administration(of: keeper) : []
    }

    /// Transfers an active token to another owner. Its rights are then limited by those of the new
    /// owner. The token gets a new secret, so that a person who has read the old one cannot use it.
    ///
    /// The caller receives the new secret, and would have the rights of the new owner with it.
    /// Therefore administrators can only transfer tokens to themselves, and only the operator to
    /// others.
    ///
    /// - Parameters:
    ///   - successor: `nil` for the operator.
    ///   - keepsSecret: leaves the secret unchanged, for a program that must not be interrupted and
    ///     whose secret was not read by a person.
    ///   - rights: the rights of the caller; `nil` for the operator token, which has all.
    /// - Returns: the record, and the new token unless the secret is unchanged.
    package func handOver(
        _ id: Identifier<APIToken>, of project: Project, to successor: Person?,
        keepsSecret: Bool = false, rights: AdministratorRights?
    ) async throws -> Result<(APIToken, text: String?), Refusal> {
        let gone = Refusal(
            "unknown_api_token", "There is no such token.", reason: "unknown, expired or revoked")
        guard let token = try await provider.store.apiTokens.apiToken(id, of: project.id),
            token.isGood(at: facts.now)
        else { return .failure(gone) }
        // An administrator cannot transfer a token that has more rights than they have.
        guard rights?.covers(token.role, in: project.id) ?? true else {
            return .failure(Self.higher)
        }
        let isTaken = successor != nil && successor?.id == facts.administrator
        guard rights == nil || isTaken else { return .failure(Self.notYourself) }
        if let successor {
            let own = AdministratorRights(try await roles(of: successor.id))
            guard own.covers(token.role, in: project.id) else {
                return .failure(Self.successorLess)
            }
        }
        var moved = token
        (moved.maker, moved.makerName) = (successor?.id, successor?.username ?? "")
        let text = keepsSecret ? nil : "ghr_" + provider.newSecret()
        var draft = draft(
            "admin.api-token.hand-over", id, token.name, token.role, project,
            ["secret": keepsSecret ? "kept" : "new"])
        draft.person = successor?.id
        let outcome = try await provider.store.apiTokens.handOver(
            apiToken: token, to: moved.maker, named: moved.makerName,
            hash: text.map(hash), now: facts.now, recording: provider.audit.prepare(draft))
        switch outcome {
        case .unknown: return .failure(gone)
        case .overtaken: return .failure(Self.overtaken)
        case .moved:
            provider.audit.wasRecorded(draft)
            return .success((moved, text: text))
        }
    }

    /// The tokens whose creators are known and no longer have the rights to create them. They need
    /// a new owner.
    package func left(among tokens: [APIToken]) async throws -> Set<Identifier<APIToken>> {
        var rights: [Identifier<Person>: AdministratorRights] = [:]
        for maker in Set(tokens.compactMap(\.maker)) {
            rights[maker] = AdministratorRights(try await roles(of: maker))
        }
        let left = tokens.filter { token in
            token.maker.flatMap { rights[$0] }?.covers(token.role, in: token.project) == false
        }
        return Set(left.map(\.id))
    }

    package static let higher = Refusal(
        "higher_role", "That role has more rights than yours.", reason: "higher role")

    package static let successorLess = Refusal(
        "successor_less", "The new owner has no role there with these rights.",
        reason: "the successor's role is less")

    package static let overtaken = Refusal(
        "taken_over_meanwhile",
        "Another administrator took it over at the same time. Reload the page.",
        reason: "changed by a concurrent transfer")

    package static let notYourself = Refusal(
        "not_yourself",
        "An administrator can take a token over, but not give it to another person.",
        reason: "to another person")

    private func hash(_ text: String) -> [UInt8] {
        provider.secrets.hash(text.utf8, for: .apiToken)
    }

    private func draft(
        _ action: String, _ id: Identifier<APIToken>, _ name: String?, _ role: Administrator.Role?,
        _ project: Project, _ more: [String: String] = [:]
    ) -> AuditEventDraft {
        var words = ["token": id.description, "name": name, "role": role?.rawValue]
        words.merge(more) { $1 }
        return AuditEventDraft(
            action, in: project.id, facts: facts,
            details: AuditDetails.text(words.compactMapValues { $0 }))
    }
}

extension Provider {
    /// The person of the home project with this username. Administrators are people of the home
    /// project.
    package func administrator(named username: String) async throws -> Person? {
        guard let name = UserName.canonical(username),
            let home = try await store.projects.project(named: AdministratorRoles.homeProject)
        else { return nil }
        return try await store.people.person(username: name, in: home.id)
    }

    /// The username of the administrator; empty for the operator token.
    package func administratorName(_ facts: RequestMetadata) async throws -> String {
        guard let administrator = facts.administrator else { return "" }
        return try await store.people.person(administrator)?.username ?? ""
    }
}
