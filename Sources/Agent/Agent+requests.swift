// SPDX-License-Identifier: Apache-2.0
package import AgentClient
package import JOSE
package import Primitives
package import SingleSignOn

/// The requests of people and programs.
extension Agent {
    /// A person has opened a desktop or a terminal.
    package func arrived(_ person: String) async { await handle(.arrived(person)) }

    // MARK: Registration

    /// Registers the device; the conversation is with the person who started it.
    package func registerDevice(
        by person: String, repair: Bool, _ conversation: any AgentConversation
    ) async throws {
        try await registrations.registerDevice(by: person, repair: repair, conversation)
    }

    /// Registers a person, and before them the device if necessary, and signs them in.
    package func registerPerson(
        _ person: String, repair: Bool, _ conversation: any AgentConversation
    ) async throws {
        try await registrations.registerPerson(person, repair: repair, conversation)
    }

    /// The person gave up, or their connection ended.
    package func cancelled(_ person: String) async { await registrations.cancel(person) }

    /// Unregisters the device with all of its people.
    ///
    /// - Parameters:
    ///   - person: The person of the device, if each person has a registration of the device.
    ///   - localOnly: Whether the provider is not notified, because it cannot be reached.
    package func unregisterDevice(of person: String, localOnly: Bool) async throws {
        try await departures.unregisterDevice(of: person, localOnly: localOnly)
    }

    /// Unregisters a person from this device.
    package func unregisterPerson(_ person: String, localOnly: Bool) async throws {
        try await departures.unregisterPerson(person, localOnly: localOnly)
    }

    /// - Parameter person: The account whose registration is described; `nil` for all.
    package func status(of person: String?) -> AgentStatus { statusReport.status(of: person) }

    /// Rotates all keys that need no person, now.
    package func rotateNow() async throws { try await rotations.rotateNow() }

    // MARK: Sign-in

    /// Signs a registered person in.
    package func signIn(_ person: String, _ conversation: any AgentConversation) async throws {
        try await registrations.signIn(person, conversation)
    }

    /// Returns the ID token of a person, renewed if that is due.
    package func idToken(
        of person: String
    ) async throws -> (token: String, session: SignInSession) {
        try await renewals.idToken(of: person)
    }

    /// Renews the tokens of a person now.
    ///
    /// - Throws: ``AgentRefusal`` with the reason.
    package func refresh(_ person: String) async throws { try await renewals.refresh(person) }

    /// Decides whether a person is admitted to the device.
    package func admit(
        _ request: AdmissionRequest, of person: String
    ) async throws -> AdmissionResponse { try await admissions.admit(request, of: person) }

    /// Returns the answer of an extension to a request of an app.
    ///
    /// - Parameter program: The path of the program, as the kernel reports it.
    package func authorize(
        _ request: AppRequest, by program: String?, of account: String,
        _ conversation: any AgentConversation
    ) async -> ExtensionAuthorizationResponse {
        await appRequests.authorize(request, by: program, of: account, conversation)
    }

    /// Returns the picture of a person for their desktop.
    package func picture(of person: String) throws(AgentRefusal) -> JSONValue {
        try avatars.picture(of: person)
    }

    // MARK: Secrets

    /// Seals a secret so that the disk alone does not open it.
    package func seal(_ secret: Secret, of person: String) async throws -> JSONObject {
        try await sealing.seal(secret, of: person)
    }

    /// Opens what ``seal(_:of:)`` returned, with the provider or within the grace period.
    package func unseal(_ object: JSONObject, of person: String) async throws -> Secret {
        try await sealing.unseal(object, of: person)
    }
}
