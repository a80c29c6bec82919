// SPDX-License-Identifier: Apache-2.0
import Primitives
import Storage

/// The disabled realms of a project (``Person/realm``): services that are disabled or deleted,
/// issuers without keys, and test keys in production.
///
/// They are stored as one text in the project's row, which the sign-in of a person locks. A
/// concurrent disabling waits and ends the new session, or the sign-in waits and sees the disabled
/// realm.
struct DisabledRealms: Equatable {
    private(set) var realms: Set<String>

    /// The separator before a realm in ``Person/qualifiedName``; it does not occur in realms.
    static let mark: Character = "\u{1F}"

    init(_ text: String) {
        realms = Set(text.split(separator: Self.mark).map(String.init))
    }

    /// Each between two separators, so that a name does not match within another.
    var text: String {
        realms.sorted().map { "\(Self.mark)\($0)\(Self.mark)" }.joined()
    }

    mutating func set(_ realm: String, counts: Bool) {
        if counts { realms.remove(realm) } else { realms.insert(realm) }
    }

    /// Applies the project's settings. A service that is no longer listed is disabled.
    mutating func follow(_ project: Project, after earlier: Project?) {
        for gone in earlier?.realms.keys ?? [:].keys { set(gone, counts: false) }
        for (realm, counts) in project.realms { set(realm, counts: counts) }
    }
}

private let realmsUpdate = """
    UPDATE projects SET silent_realms = $2
    WHERE id = $1 AND (silent_realms IS NULL OR silent_realms <> $2)
    """
/// Selects people of a realm who have no federated identity of an enabled provider. `$2` is the
/// separator and the realm.
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
    /// A condition: whether the realm of the person `p` is active in their project `j`, or the
    /// person has a federated identity of an enabled provider.
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
    /// Changes the disabled realms. Ends the sessions and revokes the grants of people of newly
    /// disabled realms.
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

    /// Ends access again after a provider was disabled on which people of disabled realms depended.
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
    /// Computes the disabled realms of projects without a stored value.
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
