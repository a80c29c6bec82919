// SPDX-License-Identifier: Apache-2.0
import Primitives
import Storage

/// The disabled realms of a project (``Person/realm``): services that are disabled or deleted,
/// issuers without keys, and test keys in production.
///
/// Each is a row of `realms`, which the sign-in of a person locks. A concurrent disabling waits and
/// ends the new session, or the sign-in waits and sees the disabled realm. For an older version they
/// are also one text in the project's row.
struct DisabledRealms: Equatable {
    private(set) var realms: Set<String>

    /// The separator of the realms in the text.
    private static let mark: Character = "\u{1F}"

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

private let realmsHeld = "SELECT silent_realms, listed_realms FROM projects WHERE id = $1"
private let realmsSave = """
    UPDATE projects SET silent_realms = $2, listed_realms = $2 WHERE id = $1
    """
private let realmAdd = """
    INSERT INTO realms (project_id, name, kind, silent) VALUES ($1, $2, $3, $4)
    ON CONFLICT (project_id, name) DO NOTHING
    """
private let realmSet = """
    INSERT INTO realms (project_id, name, kind, silent) VALUES ($1, $2, $3, $4)
    ON CONFLICT (project_id, name) DO UPDATE SET silent = excluded.silent
    """
private let realmsDependent = """
    SELECT name FROM realms WHERE project_id = $1 AND (silent = 1 OR kind = 'upstream')
    ORDER BY name
    """
/// Selects people of a realm who have no federated identity of an enabled provider.
private let peopleOfRealm = """
    SELECT p.id FROM people p WHERE p.project_id = $1 AND p.realm = $2
    AND NOT EXISTS (\(standingLink("p.id")))
    """
private let grantsOfRealm = "DELETE FROM grants WHERE person_id IN (\(peopleOfRealm))"
private let sessionsOfRealm = "DELETE FROM sessions WHERE person_id IN (\(peopleOfRealm))"
/// Selects such people of all disabled realms of a project.
private let peopleOfDisabledRealms = """
    SELECT p.id FROM realms r CROSS JOIN people p WHERE r.project_id = $1 AND r.silent = 1
    AND p.project_id = r.project_id AND p.realm = r.name
    AND NOT EXISTS (\(standingLink("p.id")))
    """
private let grantsOfDisabledRealms = """
    DELETE FROM grants WHERE person_id IN (\(peopleOfDisabledRealms))
    """
private let sessionsOfDisabledRealms = """
    DELETE FROM sessions WHERE person_id IN (\(peopleOfDisabledRealms))
    """

/// Joins the realm of the person `p` as `r`, and their project as `j`. `CROSS JOIN` is the order in
/// which SQLite reads.
let realmJoin = "CROSS JOIN realms r CROSS JOIN projects j"
/// The condition of ``realmJoin``. It is false until the writes of a concurrent older version are read
/// (``SQLConnection/afterOlderWrites(of:_:_:)``).
let realmMatch = """
    r.project_id = p.project_id AND r.name = p.realm AND j.id = p.project_id
    AND j.listed_realms = j.silent_realms
    """

extension SQLConnection {
    /// Changes the disabled realms. Ends the sessions and revokes the grants of people of newly
    /// disabled realms.
    func change(
        silentRealmsOf project: Identifier<Project>, _ dialect: SQLDialect,
        _ edit: (inout DisabledRealms) throws -> Void
    ) throws {
        let held = try query(realmsHeld + dialect.forUpdate, project)
            .firstRecord { (stored: try $0.optionalText(), listed: try $0.optionalText()) }
        guard let held else { return }
        var new = DisabledRealms(held.stored ?? "")
        try edit(&new)
        guard held.stored != new.text || held.listed != new.text else { return }
        _ = try change(realmsSave, project, new.text)
        if held.listed == nil { try add(realm: "", of: project) }
        let listed = DisabledRealms(held.listed ?? "").realms
        for realm in new.realms.symmetricDifference(listed).sorted() {
            let isDisabled = new.realms.contains(realm)
            _ = try change(realmSet, project, realm, RealmKind(of: realm).rawValue, isDisabled)
        }
        try dismiss(peopleOf: new.realms.subtracting(listed), project, dialect)
    }

    /// Inserts a realm, as enabled, unless it exists.
    func add(realm: String, of project: Identifier<Project>) throws {
        _ = try change(realmAdd, project, realm, RealmKind(of: realm).rawValue, false)
    }

    /// Locks the realms whose people may depend on a provider that is being disabled: a concurrent
    /// sign-in is then either seen by the statements that end access, or waits.
    func lockDependentRealms(of project: Identifier<Project>, _ dialect: SQLDialect) throws {
        _ = try query(realmsDependent + dialect.forUpdate, project)
    }

    /// Ends access again after a provider was disabled on which people of disabled realms depended.
    func dismissSilenced(of project: Identifier<Project>) throws {
        _ = try change(grantsOfDisabledRealms, project)
        _ = try change(sessionsOfDisabledRealms, project)
    }

    private func dismiss(
        peopleOf realms: Set<String>, _ project: Identifier<Project>, _ dialect: SQLDialect
    ) throws {
        if !realms.isEmpty { try splitNames(dialect) }
        for realm in realms.sorted() {
            _ = try change(grantsOfRealm, project, realm)
            _ = try change(sessionsOfRealm, project, realm)
        }
    }
}

/// Who identifies the people of a realm.
private enum RealmKind: String {
    /// The project.
    case own
    /// An upstream provider.
    case upstream
    /// An issuer or a service of app registrations.
    case issuer

    init(of realm: String) {
        self =
            realm.isEmpty
            ? .own : realm.hasPrefix(UpstreamProvider.realmPrefix) ? .upstream : .issuer
    }
}
