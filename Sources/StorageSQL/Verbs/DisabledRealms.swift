// SPDX-License-Identifier: Apache-2.0
import Primitives
import Storage

/// Realms of a project (``Person/realm``) whose word counts for nothing at the moment: services
/// that are switched off or gone, issuers that have no key any more, test keys in production.
///
/// They stand in one text of the project's row, which the statement that lets somebody's app in
/// holds: who silences a realm waits for it and ends what it made, or it waits and finds the realm
/// silent.
struct DisabledRealms: Equatable {
    private(set) var realms: Set<String>

    /// What ``Person/qualifiedName`` has before a realm; no realm has it in it.
    static let mark: Character = "\u{1F}"

    init(_ text: String) {
        realms = Set(text.split(separator: Self.mark).map(String.init))
    }

    /// Each between two marks, so that none is found within another.
    var text: String {
        realms.sorted().map { "\(Self.mark)\($0)\(Self.mark)" }.joined()
    }

    mutating func set(_ realm: String, counts: Bool) {
        if counts { realms.remove(realm) } else { realms.insert(realm) }
    }

    /// What the settings say. A service that they do not name any more is silent.
    mutating func follow(_ project: Project, after earlier: Project?) {
        for gone in earlier?.realms.keys ?? [:].keys { set(gone, counts: false) }
        for (realm, counts) in project.realms { set(realm, counts: counts) }
    }
}

private let realmsUpdate = """
    UPDATE projects SET silent_realms = $2
    WHERE id = $1 AND (silent_realms IS NULL OR silent_realms <> $2)
    """
/// Who is here by the word of the realm, `$2` with the mark before it, and of nobody else who counts.
private let peopleOfRealm = """
    SELECT p.id FROM people p WHERE p.project_id = $1
    AND substr(p.username, length(p.username) - length(CAST($2 AS text)) + 1) = CAST($2 AS text)
    AND NOT EXISTS (\(standingLink("p.id")))
    """
private let grantsOfRealm = "DELETE FROM grants WHERE person_id IN (\(peopleOfRealm))"
private let sessionsOfRealm = "DELETE FROM sessions WHERE person_id IN (\(peopleOfRealm))"
private let projectsUnsettled = """
    SELECT id FROM projects WHERE id > $1 AND silent_realms IS NULL ORDER BY id
    """

extension SQLDialect {
    /// Whether the word by which the person `p` is here counts in their project `j`, or that of
    /// another provider does.
    var countsRealm: String {
        let mark = "'\(DisabledRealms.mark)'"
        let place = position(of: mark, in: "p.username")
        return """
            (COALESCE(j.silent_realms, '') = '' OR \(place) = 0
            OR replace(j.silent_realms, \(mark) || substr(p.username, \(place) + 1) || \(mark), '')
            = j.silent_realms OR EXISTS (\(standingLink("p.id"))))
            """
    }

    fileprivate var silentRealms: String {
        "SELECT COALESCE(silent_realms, '') FROM projects WHERE id = $1" + forUpdate
    }
}

extension SQLConnection {
    /// Changes whose word counts. Of people of a realm that falls silent, grants and sessions end.
    func change(
        silentRealmsOf project: Identifier<Project>, _ dialect: SQLDialect,
        _ edit: (inout DisabledRealms) throws -> Void
    ) throws {
        let held = try run(dialect.silentRealms, project).firstRecord { try $0.text() }
        guard let held else { return }
        let old = DisabledRealms(held)
        var new = old
        try edit(&new)
        _ = try run(realmsUpdate, project, new.text)
        try dismiss(peopleOf: new.realms.subtracting(old.realms), project)
    }

    /// Once more, when a provider that kept some of their people in counts no longer.
    func dismissSilenced(of project: Identifier<Project>, _ dialect: SQLDialect) throws {
        let held = try run(dialect.silentRealms, project).firstRecord { try $0.text() }
        try dismiss(peopleOf: DisabledRealms(held ?? "").realms, project)
    }

    private func dismiss(
        peopleOf realms: Set<String>, _ project: Identifier<Project>
    ) throws {
        for realm in realms.sorted() {
            let name = "\(DisabledRealms.mark)\(realm)"
            _ = try run(grantsOfRealm, project, name)
            _ = try run(sessionsOfRealm, project, name)
        }
    }
}

extension SQLStore {
    /// Finds out whose word counts in projects of which that is not known.
    func settleRealms() async throws {
        let (dialect, held) = (dialect, projectByID + dialect.forUpdate)
        let unsettled = try await engine.query(projectsUnsettled, [UInt8]())
            .records { try $0.identifier(Project.self) }
        for id in unsettled {
            try await engine.write { connection in
                let project = try connection.run(held, id).firstRecord(Project.init)
                guard let project else { return }
                try connection.change(silentRealmsOf: id, dialect) {
                    $0.follow(project, after: nil)
                }
            }
        }
    }
}
