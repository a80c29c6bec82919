// SPDX-License-Identifier: Apache-2.0
import HTTPServer
import JOSE
import Primitives
import ProviderCore
import ProviderPeople
import Storage
import WebAuthn

/// An account in the words of the account page.
struct AccountValues {
    let visit: PageContext
    let signedIn: AuthenticatedSession
    let overview: AccountOverview
    /// The refused form, whose values are displayed again for correction.
    let typed: FormParameters?

    init(
        _ visit: PageContext, _ signedIn: AuthenticatedSession, _ overview: AccountOverview,
        typed: FormParameters? = nil
    ) {
        self.visit = visit
        self.signedIn = signedIn
        self.overview = overview
        self.typed = typed
    }

    var values: [String: Any] {
        let person = overview.person
        let name = person.claims.name ?? person.username
        var values: [String: Any] = [
            "heading": name, "username": person.username, "name": typed?["name"] ?? name,
            "visitor": ["name": name, "initial": PageContext.initial(of: name)],
            "email": typed?["email"] ?? person.claims.email ?? "",
            "mayMail": visit.pages.provider.mail != nil,
            "passkeys": overview.passkeys.map(key),
            "codesLeft": codesLeft, "hasCodes": overview.recoveryCodesLeft > 0,
            "sessions": overview.sessions.map(session),
            "hasOtherSessions": overview.sessions.count > 1,
            "consents": overview.consents.map(consent),
            "hasConsents": !overview.consents.isEmpty, "events": overview.events.map(event),
            "isAdministrator": Administrators.include(person),
        ]
        values["password"] = overview.password.map(credential)
        // A name that another provider gave cannot be typed here: neither a password nor a code
        // would open anything.
        values["hasName"] = person.realm.isEmpty
        values["links"] = overview.links.map(link)
        values["machines"] = overview.machines.map(machine)
        values["linkable"] = overview.linkable.map { provider in
            let name = provider.displayName
            return [
                "id": provider.name, "name": name,
                "text": visit.text("providerLink", ["provider": name]),
            ]
        }
        if visit.query["done"] != nil { values["signals"] = signals }
        values["offersPasskey"] = offersPasskey
        if person.claims.email != nil {
            let isGood = person.claims.emailVerified == true
            values["emailState"] = [
                "good": isGood,
                "text": visit.text(isGood ? "emailVerified" : "emailUnverified"),
            ]
        }
        return values
    }

    private var codesLeft: String {
        let left = overview.recoveryCodesLeft
        return left == 0
            ? visit.text("codesNone") : visit.text("codesLeft", ["n": String(left)])
    }

    private func credential(_ credential: Credential) -> [String: Any] {
        let label = credential.label.isEmpty ? visit.text("passkeyUnnamed") : credential.label
        return [
            "id": credential.id.description, "label": label,
            "made": visit.text(
                "made", ["when": visit.language.when(credential.createdAt, now: visit.now)]),
            "used": credential.lastUsedAt.map {
                visit.text("used", ["when": visit.language.when($0, now: visit.now)])
            } ?? false as Any,
        ]
    }

    /// A passkey or security key: as any credential, with what is known of it.
    private func key(_ credential: Credential) -> [String: Any] {
        let assurance =
            Assurance(rawValue: credential.assurance)
            ?? PasskeyDetails(credential.details).facts.assurance
        var values = self.credential(credential)
        values["kind"] = visit.text("kind.\(assurance.rawValue)")
        values["attested"] = assurance == .attestedSecurityKey
        // Every key is present, so that a template does not read the key of an outer scope.
        let isRefused = visit.request.parameters["id"] == credential.id.description
        let name = isRefused ? typed?["label"] : nil
        values["isOpen"] = name != nil
        values["typed"] = name ?? credential.label
        let statement = AAGUID(PasskeyDetails(credential.details).aaguid)
            .flatMap { overview.metadata?.statement(for: $0) }
        values["model"] = statement?.name ?? false as Any
        values["picture"] =
            statement?.icon.map { "data:image/png;base64,\(Base64.encode($0.png))" }
            ?? false as Any
        return values
    }

    /// A machine that signs them in.
    private func machine(_ machine: PersonDevice) -> [String: Any] {
        let made = machine.keyMadeAt ?? machine.user.registeredAt
        return [
            "id": machine.device.id.description, "label": machine.name,
            "holdsKey": machine.keyMadeAt != nil,
            "made": visit.text("made", ["when": visit.language.when(made, now: visit.now)]),
            "used": machine.user.lastSignInAt.map {
                visit.text("used", ["when": visit.language.when($0, now: visit.now)])
            } ?? false as Any,
        ]
    }

    /// A link to an upstream provider. One that is disabled opens nothing, and says so.
    private func link(_ link: Credential, _ provider: UpstreamProvider?) -> [String: Any] {
        var values = credential(link)
        let name = provider?.displayName ?? link.label
        values["label"] = name
        values["initial"] = PageContext.initial(of: name)
        values["off"] = provider?.isEnabled != true
        return values
    }

    /// What browsers are told after a change: which keys still open the account, and its name.
    private var signals: String {
        let signals = CredentialSignals(visit.context)
        let document: JSONValue = [
            "accepted": signals.accepted(overview.passkeys, of: overview.person),
            "details": signals.details(of: overview.person),
        ]
        return document.text
    }

    /// Whether the person signed in recently, has a password and no passkey. Then the browser may
    /// create a passkey automatically.
    private var offersPasskey: Bool {
        overview.passkeys.isEmpty && overview.password != nil && signedIn.isFresh(at: visit.now)
    }

    private func session(_ session: Session) -> [String: Any] {
        [
            "id": session.id.description, "address": session.address,
            "device": device(session.device),
            "current": session.id == signedIn.session.id,
            "seen": visit.text(
                "seen", ["when": visit.language.when(session.lastSeenAt, now: visit.now)]),
        ]
    }

    /// `Firefox on Linux`, as ``UserAgentDescription`` stores it, in the reader's language.
    private func device(_ stored: String) -> String {
        guard !stored.isEmpty else { return visit.text("sessionUnknown") }
        let words = stored.split(separator: " on ", maxSplits: 1).map(String.init)
        guard words.count == 2 else { return stored }
        return visit.text("deviceOn", ["browser": words[0], "system": words[1]])
    }

    private func consent(_ consent: Consent, _ client: Client) -> [String: Any] {
        let name = client.metadata.clientName ?? client.clientID
        let scopes = consent.scope.split(separator: " ").map(String.init)
        return [
            "id": client.id.description, "name": name, "initial": PageContext.initial(of: name),
            "scopes": ConsentValues(visit).words(for: scopes).joined(separator: ", "),
            "given": visit.text(
                "given", ["when": visit.language.when(consent.givenAt, now: visit.now)]),
        ]
    }

    private func event(_ event: AuditEvent) -> [String: Any] {
        let texts = visit.language.texts
        // The audit log has the exact action. Here a text for its subject is sufficient.
        let other = texts["event.\(event.action.prefix { $0 != "." })"]
        let what = texts["event.\(event.action)"] ?? other ?? event.action
        let isAccepted = event.outcome == .accepted
        return [
            "what": isAccepted ? what : visit.text("refusedWith", ["what": what]),
            "accepted": isAccepted, "address": event.address,
            "when": visit.language.when(event.at, now: visit.now),
        ]
    }
}
