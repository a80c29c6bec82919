// SPDX-License-Identifier: Apache-2.0
package import Primitives

/// A store of people.
package protocol PersonStore: Sendable {
    func person(_ id: Identifier<Person>) async throws -> Person?
    /// Returns the person with a username of the project's own realm, or with a
    /// ``Person/qualifiedName``.
    func person(username: String, in project: Identifier<Project>) async throws -> Person?
    /// Returns the person with that verified email address, in lower case. `nil` unless exactly one
    /// person has it.
    func person(
        verifiedEmail: String, in project: Identifier<Project>
    ) async throws -> Person?
    /// Returns up to `limit` people in order of ``Person/qualifiedName``, after `username`.
    func people(
        of project: Identifier<Project>, after username: String?, limit: Int
    ) async throws -> [Person]
    /// Returns the same for people whose name begins with `prefix`.
    func people(
        of project: Identifier<Project>, startingWith prefix: String, after username: String?,
        limit: Int
    ) async throws -> [Person]
    /// Returns up to `limit` people with a ``SearchTerms`` term that begins with `term`, in order
    /// of that term and then of their identifiers, after `last`. Each person is returned once, and
    /// only if their username does not begin with `username`.
    func people(
        of project: Identifier<Project>, foundBy term: String, butNotNamed username: String,
        after last: FoundPerson.Place?, limit: Int
    ) async throws -> [FoundPerson]
    /// Returns the ``Person/username`` of each existing person, in one read.
    func usernames(
        of people: Set<Identifier<Person>>
    ) async throws -> [Identifier<Person>: String]
    /// Inserts a person with their first credentials and consumes `use`, in one transaction. If
    /// `use` is consumed already, the outcome is that of a taken username. A held username
    /// (``isHeld(name:in:now:)``) is taken, unless `nameMayBeHeld`: the person then has it, and
    /// applications receive another of ``Person/shownNames``.
    func create(
        _ person: Person, with credentials: [Credential], using use: OneTimeUse?,
        nameMayBeHeld: Bool
    ) async throws -> CreateOutcome
    /// Reads the person, applies `edit` to claims, attributes and `disabled`, and saves the result in
    /// one transaction. Of two concurrent changes, the second edits the result of the first. `edit`
    /// may run more than once.
    ///
    /// An edit of the username is an error: each earlier name would have to be held, and a person
    /// could withhold names without limit.
    ///
    /// Disabling ends sessions and revokes grants in the same transaction. So does `password`,
    /// which replaces any other.
    func change<Objection: Sendable>(
        person id: Identifier<Person>, password: Credential?, now: Timestamp,
        _ edit: @escaping @Sendable (inout Person) -> Objection?
    ) async throws -> RecordEdit<Person, Objection>
    /// Assigns the first free name of `names` as ``Person/accountName``, unless the person has one.
    /// Another person's username and a held name are not free. Returns the person's account name;
    /// `nil` if the person does not exist, or no name is free.
    func giveAccountName(
        _ names: [String], to person: Identifier<Person>, in project: Identifier<Project>,
        now: Timestamp
    ) async throws -> String?
    /// Deletes the person and all dependent records. The names of the person are then held.
    func remove(person id: Identifier<Person>, now: Timestamp) async throws
    /// Whether a person who was removed had the name, as username or as what applications and
    /// devices called them, less than ``ProjectPolicy/usernameReuseDelay`` ago.
    func isHeld(
        name: String, in project: Identifier<Project>, now: Timestamp
    ) async throws -> Bool
    /// Releases a held name, so that a new person is assigned it. `false` if it is not held.
    func release(
        name: String, of project: Identifier<Project>, now: Timestamp
    ) async throws -> Bool
}

extension PersonStore {
    package func change<Objection: Sendable>(
        person id: Identifier<Person>, now: Timestamp,
        _ edit: @escaping @Sendable (inout Person) -> Objection?
    ) async throws -> RecordEdit<Person, Objection> {
        try await change(person: id, password: nil, now: now, edit)
    }

    package func create(
        _ person: Person, with credentials: [Credential]
    ) async throws -> CreateOutcome {
        try await create(person, with: credentials, using: nil, nameMayBeHeld: true)
    }
}

package enum CreateOutcome: Error, Sendable, Equatable {
    case created
    case usernameTaken
    /// A credential with the same external identifier exists in the project.
    case credentialTaken
}

/// A store of credentials.
package protocol CredentialStore: Sendable {
    /// Returns the credentials, oldest first.
    func credentials(of person: Identifier<Person>) async throws -> [Credential]
    func credential(
        externalID: [UInt8], kind: Credential.Kind, in project: Identifier<Project>
    ) async throws -> Credential?
    /// Inserts a credential. Returns `false` if the external identifier exists in the project.
    func add(_ credential: Credential) async throws -> Bool
    /// Returns up to 1000 credentials of administrators that await the approval of another one.
    func credentialsAwaitingApproval() async throws -> [Credential]
    /// Approves these credentials of the person. Returns `false`, and approves none, unless they
    /// are exactly those that await approval, and at least one.
    func approveCredentials(
        _ shown: Set<Identifier<Credential>>, of person: Identifier<Person>
    ) async throws -> Bool
    /// Sets the password; ends every session of the person except the given one and revokes every
    /// grant, in the same transaction. Returns `false` if the person's password is not `earlier`.
    func setPassword(
        _ credential: Credential, replacing earlier: EarlierPassword,
        keeping session: Identifier<Session>?, now: Timestamp
    ) async throws -> Bool
    /// Replaces `old` by another hash of the same password. Sessions and grants stay active.
    /// Returns `false` if the password has changed since `old` was read.
    func renewPasswordHash(
        of credential: Identifier<Credential>, from old: [UInt8], to new: [UInt8]
    ) async throws -> Bool
    /// Replaces all recovery codes of the person.
    func replaceRecoveryCodes(
        of person: Identifier<Person>, with codes: [Credential]
    ) async throws
    /// Deletes the code and returns it; the second caller gets `nil`.
    func consumeRecoveryCode(
        hash: [UInt8], person: Identifier<Person>
    ) async throws -> Credential?
    /// Updates the time of last use of a credential, without other changes.
    func noteUse(of credential: Identifier<Credential>, now: Timestamp) async throws
    /// Records a successful use that changes the counter or the details. Returns `false` if these
    /// differ from those of `credential`: a concurrent use came first, or the verification data
    /// changed.
    func recordUse(
        ofUnchanged credential: Credential, to signCount: Int64, details: String, now: Timestamp
    ) async throws -> Bool
    func rename(
        credential: Identifier<Credential>, of person: Identifier<Person>, label: String
    ) async throws -> Bool
    /// Removes a password, a public-key credential or a link to an upstream provider, unless no way
    /// in would be left: recovery codes do not count as one. Atomic: two concurrent removals cannot take the last two.
    ///
    /// - Parameter othersWait: Whether an administrator's other credentials, but for passkeys and
    ///   security keys, wait for approval from then on, in the same step, when a key was removed. It
    ///   sees all credentials as they were before, and may run more than once.
    func remove(
        credential: Identifier<Credential>, of person: Identifier<Person>,
        othersWait: @escaping @Sendable ([Credential]) -> Bool
    ) async throws -> RemoveCredentialOutcome
    /// Deletes a lost public-key credential. In the same transaction it ends every session of the
    /// person that the credential opened or may have opened, and revokes their grants. It also
    /// revokes grants without an active session, unless no key was used for them.
    ///
    /// The session `kept` stays if it has another factor; the credential is removed from its
    /// factors, and its grants are revoked. Refuses to delete the last credential unless
    /// `leavingNone`. `othersWait` is that of ``remove(credential:of:othersWait:)``.
    func revokeLost(
        credential: Identifier<Credential>, of person: Identifier<Person>,
        keeping kept: Identifier<Session>?, leavingNone: Bool,
        othersWait: @escaping @Sendable ([Credential]) -> Bool, now: Timestamp
    ) async throws -> RemoveCredentialOutcome
}

/// The password that a new one replaces.
package enum EarlierPassword: Sendable, Equatable {
    /// Any password: a change by an administrator takes precedence.
    case any
    /// None: the person has no password yet.
    case nothing
    /// The password that was read. Another hash of the same password has the same identifier.
    case only(Identifier<Credential>)
}

package enum RemoveCredentialOutcome: Sendable, Equatable {
    case removed(Credential)
    case lastWayIn
    case unknown
}
