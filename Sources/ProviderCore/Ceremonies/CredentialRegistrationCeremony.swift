// SPDX-License-Identifier: Apache-2.0
package import JOSE
package import PIN
package import Storage

/// A registration of a credential for a new or an existing person. Each kind of evidence is one file
/// that implements the phases.
package protocol CredentialRegistrationCeremony: CeremonyPhases
where Call == CeremonyContext, Change == RegistrationBinding {}

/// The result of a registration.
package struct RegistrationBinding: CeremonyChange {
    package let person: Person
    package let credential: Credential?
    /// The authentication factor of the registration.
    package let factor: AuthenticationFactor
    /// The notification to the person, or `nil`.
    package let notice: AccountNotification.Kind?
    /// The app installation that was registered, or `nil`.
    package var installation: Installation?
    /// Whether the store operation of the binding has written the audit event.
    package var recording = EventRecording.due
    /// The response for the PIN, if the installation registers with one.
    package var pin: PINResponse?
    /// Additional members of the response to the installation.
    package var responseMembers: [JSONObject.Member] = []

    package init(
        person: Person, credential: Credential?, factor: AuthenticationFactor,
        notice: AccountNotification.Kind?, installation: Installation? = nil,
        recording: EventRecording = EventRecording.due, pin: PINResponse? = nil,
        responseMembers: [JSONObject.Member] = []
    ) {
        self.person = person
        self.credential = credential
        self.factor = factor
        self.notice = notice
        self.installation = installation
        self.recording = recording
        self.pin = pin
        self.responseMembers = responseMembers
    }

    package var event: CeremonyEvent { CeremonyEvent(person: person.id, recording: recording) }
    package var notification: CeremonyNotification? {
        notice.map { ($0, person) }
    }
}
