// SPDX-License-Identifier: Apache-2.0
package import Primitives

/// A store of app installations and the data that are bound to them.
package protocol InstallationStore: Sendable {
    /// Inserts a person, their credentials and their installation, consumes the one-time
    /// identifiers, revokes ``NewRegistration/consumedGrant`` and writes `event`, in one
    /// transaction. All of it happens if and only if the outcome is `registered`.
    func register(
        _ registration: NewRegistration, recording event: AuditEvent
    ) async throws -> InstallationRegistrationOutcome
    func installation(_ id: Identifier<Installation>) async throws -> Installation?
    /// Returns the installations, oldest first.
    func installations(of person: Identifier<Person>) async throws -> [Installation]
    /// Adds an authenticator to `credential.installation`, consumes the one-time identifier and
    /// writes `event`, in one transaction. All of it happens if and only if the outcome is `added`.
    func add(
        authenticator credential: Credential, using use: OneTimeUse, recording event: AuditEvent
    ) async throws -> AddAuthenticatorOutcome
    /// Deletes an authenticator of the installation and writes `event`, in one transaction. Returns
    /// `false` if it does not exist.
    func remove(
        authenticator id: Identifier<Credential>, of installation: Identifier<Installation>,
        recording event: AuditEvent
    ) async throws -> Bool
    /// Deletes the installation with its key and its authenticators, revokes its grants and writes
    /// `event`, in one transaction. Returns `false` if the person has no such installation.
    func remove(
        installation id: Identifier<Installation>, of person: Identifier<Person>, now: Timestamp,
        recording event: AuditEvent
    ) async throws -> Bool
    /// Deletes the person and all dependent records, and writes `event`, in one transaction. Counts
    /// the removal in `budgets` in the same transaction: a removal that fails is not counted.
    func deregister(
        person id: Identifier<Person>, within budgets: [AttemptBudget], window: TimeSpan,
        recording event: AuditEvent
    ) async throws -> DeregisterOutcome
    /// Deletes up to `limit` people of that origin who were inserted before `end`, with all
    /// dependent records. Writes the event for that number in the same transaction, if there is
    /// one. Returns the number of people.
    func removePeople(
        of project: Identifier<Project>, origin: String, before end: Timestamp, limit: Int,
        now: Timestamp, recording event: @escaping @Sendable (Int) -> AuditEvent?
    ) async throws -> Int
    /// Returns the number of people of that origin.
    func countPeople(of project: Identifier<Project>, origin: String) async throws -> Int64
    /// Inserts the grant of a person who has proven their identity with a token, with its refresh
    /// family at `grant.generation`. Consumes the one-time identifiers, updates the credential's
    /// last use and writes `event`, in one transaction.
    func grant(
        _ grant: Grant, using uses: [OneTimeUse], credential: Identifier<Credential>?,
        recording event: AuditEvent
    ) async throws -> ProvenGrantOutcome
}

/// All records of one registration.
package struct NewRegistration: Sendable, Equatable {
    package var installation: Installation
    package var person: Person
    /// Whether the person exists already and only gets a further installation.
    package var isOfKnownPerson: Bool
    package var credentials: [Credential]
    package var uses: [OneTimeUse]
    /// The grant of the access token that is the evidence; `nil` for other evidence. It is revoked,
    /// so that it is evidence once.
    package var consumedGrant: Identifier<Grant>?
    /// The installation's PIN, if it registers with one.
    package var pin: StoredPIN?
    /// The new attributes of an existing person (``Person/attributes``); `nil` leaves them
    /// unchanged.
    package var attributes: String?
    /// Count the registration in the same transaction: one that fails is not counted.
    package var budgets: [AttemptBudget]
    /// The window of ``budgets``.
    package var window: TimeSpan

    package init(
        installation: Installation, person: Person, credentials: [Credential], uses: [OneTimeUse],
        consumedGrant: Identifier<Grant>? = nil, pin: StoredPIN? = nil,
        isOfKnownPerson: Bool = false, attributes: String? = nil, budgets: [AttemptBudget] = [],
        window: TimeSpan = .days(1)
    ) {
        self.installation = installation
        self.person = person
        self.credentials = credentials
        self.uses = uses
        self.consumedGrant = consumedGrant
        self.pin = pin
        self.isOfKnownPerson = isOfKnownPerson
        self.attributes = attributes
        self.budgets = budgets
        self.window = window
    }
}

/// The outcome of a registration. All outcomes except `registered` changed nothing.
package enum InstallationRegistrationOutcome: Sendable, Equatable {
    case registered
    /// The same was registered before under the same registration id: contains those records.
    case repeated(Installation, Person)
    /// Other data were registered under that registration id.
    case registrationTaken
    case used(OneTimeIdentifier.Kind)
    case credentialTaken(Credential.Kind)
    case usernameTaken
    /// The existing person is disabled or deleted.
    case personGone
    /// The grant of the evidence is revoked, expired or deleted.
    case grantNotActive
    /// A budget is exhausted until then.
    case limited(until: Timestamp)
}

/// The outcome of adding an authenticator. All outcomes except `added` changed nothing.
package enum AddAuthenticatorOutcome: Sendable, Equatable {
    case added
    case used
    /// The key is registered already.
    case taken
    /// The installation does not exist, or belongs to another person.
    case notStanding
}

package enum ProvenGrantOutcome: Sendable, Equatable {
    case granted
    case used(OneTimeIdentifier.Kind)
    /// The person, the client or the installation is disabled or deleted.
    case notStanding
}

/// A store of issuer keys.
package protocol IssuerKeyStore: Sendable {
    func issuerKey(
        issuer: String, kid: String, in project: Identifier<Project>
    ) async throws -> IssuerKey?
    /// Returns the keys in order of issuer and `kid`; at most 1,000.
    func issuerKeys(
        of project: Identifier<Project>, kind: IssuerKey.Kind
    ) async throws -> [IssuerKey]
    /// Inserts a key. Returns `false` if that `id`, or that issuer and `kid`, exists.
    func add(_ key: IssuerKey) async throws -> Bool
    /// Reads the key, applies `edit` and saves the result in one transaction, as
    /// ``PersonStore/change(person:now:_:)`` does.
    func change<Objection: Sendable>(
        issuerKey id: Identifier<IssuerKey>,
        _ edit: @escaping @Sendable (inout IssuerKey) -> Objection?
    ) async throws -> RecordEdit<IssuerKey, Objection>
    /// Deletes the key and returns it: its tokens are no longer accepted.
    func remove(
        issuerKey id: Identifier<IssuerKey>, of project: Identifier<Project>
    ) async throws -> IssuerKey?
}

extension InstallationStore {
    /// The removal by an administrator, without limit.
    package func deregister(
        person id: Identifier<Person>, recording event: AuditEvent
    ) async throws -> DeregisterOutcome {
        try await deregister(person: id, within: [], window: .seconds(0), recording: event)
    }
}

package enum DeregisterOutcome: Error, Sendable, Equatable {
    case removed
    /// The provider would be left without an administrator.
    case lastOwner
    case unknown
    /// A budget is exhausted until then.
    case limited(until: Timestamp)
}
