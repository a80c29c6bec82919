// SPDX-License-Identifier: Apache-2.0
package import Primitives

/// Where people are kept.
package protocol PersonStore: Sendable {
    func person(_ id: Identifier<Person>) async throws -> Person?
    /// By a name of the project's own, or by a ``Person/qualifiedName``.
    func person(username: String, in project: Identifier<Project>) async throws -> Person?
    /// By verified e-mail address, lower case. `nil` when nobody, or more than one, has it.
    func person(
        verifiedEmail: String, in project: Identifier<Project>
    ) async throws -> Person?
    /// Up to `limit` people in order of ``Person/qualifiedName``, after `username`.
    func people(
        of project: Identifier<Project>, after username: String?, limit: Int
    ) async throws -> [Person]
    /// As above, of those whose name begins with `prefix`.
    func people(
        of project: Identifier<Project>, startingWith prefix: String, after username: String?,
        limit: Int
    ) async throws -> [Person]
    /// Up to `limit` people one of whose ``SearchTerms`` begins with `term`, in order of that term
    /// and then of their identifiers, after `last`: each once, and none whose user name begins with
    /// `username`.
    func people(
        of project: Identifier<Project>, foundBy term: String, butNotNamed username: String,
        after last: FoundPerson.Place?, limit: Int
    ) async throws -> [FoundPerson]
    /// The ``Person/username`` of each that there is, in one question.
    func usernames(
        of people: Set<Identifier<Person>>
    ) async throws -> [Identifier<Person>: String]
    /// Makes a person with their first credentials in one step, which also uses up `use`: where that
    /// is used already, it is as if the user name were taken. A user name that is held
    /// (``isHeld(name:in:now:)``) is taken, unless `nameMayBeHeld`: then the person has it, and
    /// applications are told another of ``Person/shownNames``.
    func create(
        _ person: Person, with credentials: [Credential], using use: OneTimeUse?,
        nameMayBeHeld: Bool
    ) async throws -> CreateOutcome
    /// Reads the person, lets `edit` change user name, claims and `disabled`, and keeps what came
    /// out, in one step: of two changes at the same moment the second builds upon the first. `edit`
    /// may run more than once. Disabling ends sessions and grants in the same step. So does `password`,
    /// which takes the place of any other.
    func change<Objection: Sendable>(
        person id: Identifier<Person>, password: Credential?, now: Timestamp,
        _ edit: @escaping @Sendable (inout Person) -> Objection?
    ) async throws -> RecordEdit<Person, Objection>
    /// Gives the person the first of `names` that is free as ``Person/accountName``, unless they
    /// have one. A name that is another person's user name, or is held, is not free. Answers the name that they
    /// have from now on; `nil` when they are gone, or no name is free.
    func giveAccountName(
        _ names: [String], to person: Identifier<Person>, in project: Identifier<Project>,
        now: Timestamp
    ) async throws -> String?
    /// Removes the person and all that is bound to them. Their names are held from then on.
    func remove(person id: Identifier<Person>, now: Timestamp) async throws
    /// Whether a person who was removed had the name, as username or as what applications and
    /// devices called them, less than ``ProjectPolicy/usernameReuseDelay`` ago. Renaming a person
    /// holds the earlier username in the same way.
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

/// Where credentials are kept.
package protocol CredentialStore: Sendable {
    /// Oldest first.
    func credentials(of person: Identifier<Person>) async throws -> [Credential]
    func credential(
        externalID: [UInt8], kind: Credential.Kind, in project: Identifier<Project>
    ) async throws -> Credential?
    /// `false` when the external identifier is taken in the project.
    func add(_ credential: Credential) async throws -> Bool
    /// Up to 1000 credentials of administrators that open no console before another one approves.
    func credentialsAwaitingApproval() async throws -> [Credential]
    /// Approves these credentials of the person; `false`, and nothing is approved, unless they are
    /// exactly those that wait, and at least one.
    func approveCredentials(
        _ shown: Set<Identifier<Credential>>, of person: Identifier<Person>
    ) async throws -> Bool
    /// Sets the password; every session of the person but the one named ends with it, and every
    /// grant, in the same step. `false` when the person's password is not `earlier`.
    func setPassword(
        _ credential: Credential, replacing earlier: EarlierPassword,
        keeping session: Identifier<Session>?, now: Timestamp
    ) async throws -> Bool
    /// Puts another hash of the same password in the place of `old`. Sessions and grants go on: the
    /// password is what it was. `false` when the password has changed since `old` was read.
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
    /// Records when a credential was used last, and changes nothing else of it.
    func noteUse(of credential: Identifier<Credential>, now: Timestamp) async throws
    /// Records a successful use that changes the counter or the details. `false` when these are no
    /// longer those of `credential`: a concurrent use came first, or it is verified by something else
    /// from now on.
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
    /// Removes a public-key credential that is lost and, in the same step, ends every session of
    /// the person that it opened or may have opened, with their grants, and every grant of theirs
    /// that no session stands for any more, unless no key was shown for it. `kept` stays when it rests on something else as well; it forgets the credential
    /// all the same, and its grants end. Refuses the last way in unless `leavingNone`. `othersWait` is
    /// that of ``remove(credential:of:othersWait:)``.
    func revokeLost(
        credential: Identifier<Credential>, of person: Identifier<Person>,
        keeping kept: Identifier<Session>?, leavingNone: Bool,
        othersWait: @escaping @Sendable ([Credential]) -> Bool, now: Timestamp
    ) async throws -> RemoveCredentialOutcome
}

/// What a new password takes the place of.
package enum EarlierPassword: Sendable, Equatable {
    /// Whatever there is: an administrator has the last word.
    case any
    /// None: the person has no password yet.
    case nothing
    /// The one that was read. Another hash of the same password keeps the identifier.
    case only(Identifier<Credential>)
}

package enum RemoveCredentialOutcome: Sendable, Equatable {
    case removed(Credential)
    case lastWayIn
    case unknown
}
