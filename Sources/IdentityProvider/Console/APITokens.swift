// SPDX-License-Identifier: Apache-2.0
package import Primitives
package import Storage

/// API tokens as administrators make them for programs. The token itself is shown once; its keyed
/// hash stays.
package struct APITokens: Sendable {
    private let provider: Provider
    private let facts: RequestMetadata

    package init(_ provider: Provider, facts: RequestMetadata) {
        self.provider = provider
        self.facts = facts
    }

    /// In seconds: an hour to a year.
    package static let lifetimes: ClosedRange<Int64> = 3600...(366 * 86_400)
    package static let defaultLifetime: Int64 = 90 * 86_400
    /// Those that hold within one project.
    package static let roles: [Administrator.Role] = [
        .projectAdministrator, .developer, .support, .auditor,
    ]

    /// - Parameter rights: of who makes it; `nil` with the operator's own token, which may all.
    /// - Returns: the record, and the token.
    package func make(
        _ name: String, role: Administrator.Role, lifetime: TimeSpan, in project: Project,
        rights: AdministratorRights?
    ) async throws -> Result<(APIToken, text: String), Refusal> {
        guard Self.roles.contains(role) else {
            return .failure(
                Refusal("owner_of_all", "An owner's role is for every project.", reason: "scope"))
        }
        guard rights?.covers(role, in: project.id) ?? true else { return .failure(Self.higher) }
        // `gha_` is the operator's own.
        let text = "ghr_" + provider.newSecret()
        let token = APIToken(
            id: Identifier(now: facts.now, random: provider.random), project: project.id,
            hash: hash(text), name: name, role: role, maker: facts.administrator,
            makerName: try await provider.administratorName(facts), createdAt: facts.now,
            expiresAt: facts.now + lifetime)
        let draft = draft("admin.api-token.create", token.id, name, role, project)
        guard try await provider.store.add(token, recording: provider.audit.prepare(draft)) else {
            return .failure(
                Refusal("unknown_project", "There is no such project.", reason: "gone meanwhile"))
        }
        provider.audit.wasRecorded(draft)
        return .success((token, text: text))
    }

    /// `false` when there is none of that id in the project that still counts.
    package func revoke(
        _ id: Identifier<APIToken>, of project: Project
    ) async throws -> Bool {
        let draft = draft("admin.api-token.revoke", id, nil, nil, project)
        guard
            try await provider.store.revoke(
                apiToken: id, of: project.id, now: facts.now,
                recording: provider.audit.prepare(draft))
        else { return false }
        provider.audit.wasRecorded(draft)
        return true
    }

    /// Whose token that is; `nil` when it is nobody's, or has ended.
    package func find(_ presented: String) async throws -> APIToken? {
        guard presented.hasPrefix("ghr_"),
            let token = try await provider.store.apiToken(hash: hash(presented)),
            token.isGood(at: facts.now)
        else { return nil }
        if token.lastUsedAt.map({ facts.now - $0 >= APIToken.useGrain }) ?? true {
            try await provider.store.noteUse(of: token.id, now: facts.now)
        }
        return token
    }

    /// What the token may at this moment: no more than whoever answers for it may themselves. Read
    /// for every use, like the roles of somebody in the console.
    package func rights(of token: APIToken) async throws -> AdministratorRights {
        guard let keeper = token.maker else { return AdministratorRights(token, within: nil) }
        return AdministratorRights(token, within: try await roles(of: keeper))
    }

    /// Of somebody who may be disabled, or gone.
    private func roles(of keeper: Identifier<Person>) async throws -> [Administrator] {
        let isThere = try await provider.store.person(keeper)?.disabled == false
        return isThere ? try await provider.store.administration(of: keeper) : []
    }

    /// Makes somebody else answer for a token that still counts: from then on it may what they may,
    /// within its own role, and is another one: whoever had the old one read has nothing.
    ///
    /// Who hands it over reads the new one, and would keep somebody else's powers with it when they
    /// go: administrators take tokens over, the operator alone gives them to others.
    ///
    /// - Parameters:
    ///   - successor: `nil` for the operator.
    ///   - keepsSecret: where nobody but the program has ever read it, and is not to be stopped.
    ///   - rights: of who hands it over; `nil` with the operator's own token, which may all.
    /// - Returns: the record, and the new token unless the old one stays.
    package func handOver(
        _ id: Identifier<APIToken>, of project: Project, to successor: Person?,
        keepsSecret: Bool = false, rights: AdministratorRights?
    ) async throws -> Result<(APIToken, text: String?), Refusal> {
        let gone = Refusal("unknown_api_token", "There is no such token.", reason: "gone or ended")
        guard let token = try await provider.store.apiToken(id, of: project.id),
            token.isGood(at: facts.now)
        else { return .failure(gone) }
        // Nobody puts a token back to more than they may themselves.
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
        let outcome = try await provider.store.handOver(
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

    /// Those whose makers are known and could not make them any more: somebody else should look
    /// after them.
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
        "higher_role", "That is a role which yours does not reach.", reason: "higher role")

    package static let successorLess = Refusal(
        "successor_less", "Who is to answer for it has no role there that reaches as far.",
        reason: "the successor's role is less")

    package static let overtaken = Refusal(
        "taken_over_meanwhile", "Somebody else took it over at the same moment. Look again.",
        reason: "not as it was found")

    package static let notYourself = Refusal(
        "not_yourself", "An administrator takes a token over, and gives it to nobody else.",
        reason: "to somebody else")

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
    /// Somebody of the home project, whose people administrators are.
    package func administrator(named username: String) async throws -> Person? {
        guard let name = UserName.canonical(username),
            let home = try await store.project(named: AdministratorRoles.homeProject)
        else { return nil }
        return try await store.person(username: name, in: home.id)
    }

    /// The user name of who administers; empty for the operator's own token.
    package func administratorName(_ facts: RequestMetadata) async throws -> String {
        guard let administrator = facts.administrator else { return "" }
        return try await store.person(administrator)?.username ?? ""
    }
}
