// SPDX-License-Identifier: Apache-2.0
package import Primitives

/// Where app installations are kept, and what is bound to them.
package protocol InstallationStore: Sendable {
    /// Makes a person, their credentials and their installation, uses up what may be used once, and
    /// writes `event`, in one step: all of it exactly when the outcome is `registered`.
    func register(
        _ registration: NewRegistration, recording event: AuditEvent
    ) async throws -> InstallationRegistrationOutcome
    func installation(_ id: Identifier<Installation>) async throws -> Installation?
    /// Oldest first.
    func installations(of person: Identifier<Person>) async throws -> [Installation]
    /// Adds an authenticator to `credential.installation`, uses up what may be used once, and
    /// writes `event`, in one step: all of it exactly when the outcome is `added`.
    func add(
        authenticator credential: Credential, using use: OneTimeUse, recording event: AuditEvent
    ) async throws -> AddAuthenticatorOutcome
    /// Removes an authenticator of the installation and writes `event`, in one step. `false` when
    /// it has no such one.
    func remove(
        authenticator id: Identifier<Credential>, of installation: Identifier<Installation>,
        recording event: AuditEvent
    ) async throws -> Bool
    /// Removes the installation with its key and its authenticators, ends its grants and writes `event`, in one step.
    /// `false` when the person has no such installation.
    func remove(
        installation id: Identifier<Installation>, of person: Identifier<Person>, now: Timestamp,
        recording event: AuditEvent
    ) async throws -> Bool
    /// Removes the person and all that is bound to them, and writes `event`, in one step.
    func deregister(
        person id: Identifier<Person>, recording event: AuditEvent
    ) async throws -> DeregisterOutcome
    /// Removes up to `limit` people of that origin who were made before `end`, with all that is
    /// bound to them, and writes the event of that many in the same step, if there is to be one.
    /// Returns how many.
    func removePeople(
        of project: Identifier<Project>, origin: String, before end: Timestamp, limit: Int,
        now: Timestamp, recording event: @escaping @Sendable (Int) -> AuditEvent?
    ) async throws -> Int
    /// How many people of that origin there are.
    func countPeople(of project: Identifier<Project>, origin: String) async throws -> Int64
    /// Makes the grant of somebody who has just proven themselves with a token, its refresh family
    /// at `grant.generation`; uses up what may be used once, notes the use of the credential, and
    /// writes `event`, in one step.
    func grant(
        _ grant: Grant, using uses: [OneTimeUse], credential: Identifier<Credential>?,
        recording event: AuditEvent
    ) async throws -> ProvenGrantOutcome
}

/// Everything that one registration makes.
package struct NewRegistration: Sendable, Equatable {
    package var installation: Installation
    package var person: Person
    /// Whether the person is there already, and only gets one more installation.
    package var isOfKnownPerson: Bool
    package var credentials: [Credential]
    package var uses: [OneTimeUse]
    /// The installation's PIN, when it registers with one.
    package var pin: StoredPIN?
    /// What is said of a known person by now (``Person/attributes``); `nil` leaves it as it is.
    package var attributes: String?

    package init(
        installation: Installation, person: Person, credentials: [Credential], uses: [OneTimeUse],
        pin: StoredPIN? = nil, isOfKnownPerson: Bool = false, attributes: String? = nil
    ) {
        self.installation = installation
        self.person = person
        self.credentials = credentials
        self.uses = uses
        self.pin = pin
        self.isOfKnownPerson = isOfKnownPerson
        self.attributes = attributes
    }
}

/// Everything but `registered` has changed nothing.
package enum InstallationRegistrationOutcome: Sendable, Equatable {
    case registered
    /// The same was registered before under the same registration id: what it was.
    case repeated(Installation, Person)
    /// Something else was registered under that registration id.
    case registrationTaken
    case used(OneTimeIdentifier.Kind)
    case credentialTaken(Credential.Kind)
    case usernameTaken
    /// The known person is disabled or gone.
    case personGone
}

/// Everything but `added` has changed nothing.
package enum AddAuthenticatorOutcome: Sendable, Equatable {
    case added
    case used
    /// The key is somebody's already.
    case taken
    /// The installation is gone, or another person's.
    case notStanding
}

package enum ProvenGrantOutcome: Sendable, Equatable {
    case granted
    case used(OneTimeIdentifier.Kind)
    /// The person, the client or the installation is disabled or gone.
    case notStanding
}

/// Where the keys of issuers are kept.
package protocol IssuerKeyStore: Sendable {
    func issuerKey(
        issuer: String, kid: String, in project: Identifier<Project>
    ) async throws -> IssuerKey?
    /// In order of issuer and `kid`; at most 1,000.
    func issuerKeys(
        of project: Identifier<Project>, kind: IssuerKey.Kind
    ) async throws -> [IssuerKey]
    /// Makes a new key. `false` when there is one with that `id`, or that issuer and `kid`.
    func add(_ key: IssuerKey) async throws -> Bool
    /// Reads the key, lets `edit` change it and keeps what came out, in one step, as
    /// ``PersonStore/change(person:now:_:)`` does.
    func change<Objection: Sendable>(
        issuerKey id: Identifier<IssuerKey>,
        _ edit: @escaping @Sendable (inout IssuerKey) -> Objection?
    ) async throws -> RecordEdit<IssuerKey, Objection>
    /// Removes the key and returns it: its tokens are believed no more.
    func remove(
        issuerKey id: Identifier<IssuerKey>, of project: Identifier<Project>
    ) async throws -> IssuerKey?
}

package enum DeregisterOutcome: Sendable, Equatable {
    case removed
    /// Nobody could administer the provider any more.
    case lastOwner
    case unknown
}
