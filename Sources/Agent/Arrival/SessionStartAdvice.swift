// SPDX-License-Identifier: Apache-2.0
package import AgentClient
package import Primitives

/// The advice for a person who starts a session: one action at most, and none that happens by
/// itself.
package struct SessionStartAdvice: Sendable, Equatable {
    package enum RequestKind: String, Sendable, CaseIterable {
        /// They are not registered, or the machine is not, which they can do as well.
        case register
        /// What was registered is no good any more.
        case repair
        case signIn = "sign_in"
        /// They are signed in, and not for long.
        case renew
    }

    package let wish: RequestKind
    /// When they are signed out, for ``RequestKind/renew``.
    package let until: Timestamp?

    /// The time before the end of a sign-in at which people are reminded; for short sign-ins a
    /// quarter of their time, so that people are not reminded all day.
    package static let notice = TimeSpan.hours(2)

    private init(_ wish: RequestKind, until: Timestamp? = nil) {
        self.wish = wish
        self.until = until
    }

    /// - Returns: `nil` where nothing is wanted of that account.
    package init?(_ status: AgentStatus, account: String) {
        guard status.extensionIdentifier != nil,
            let person = status.people.first(where: { $0.account == account })
        else { return nil }
        switch person.phase {
        case "waiting": self.init(person.needsRepair ? .repair : .register)
        case "waiting-for-device":
            // A device that registers by itself, or was refused permanently, waits for no person.
            let waits = status.devices.contains {
                $0.phase == "waiting" && [.everyone, .person(account)].contains($0.owner)
            }
            guard waits else { return nil }
            self.init(.register)
        case "signing-in":
            guard !Self.signsAlone(person, status) else { return nil }
            self.init(.signIn)
        case "registered", "binding-key", "binding-later":
            self.init(standing: person, now: status.now)
        default: return nil
        }
    }

    private init?(standing person: AgentStatus.Person, now: Timestamp) {
        guard person.next == "sign_in" else { return nil }
        switch (person.standing, person.nextAt) {
        // The provider cannot be reached.
        case ("grace", _): return nil
        case ("signed_in", let time?):
            let whole = person.fullLoginAt.map { time - $0 }
            let quarter = whole.map { TimeSpan(milliseconds: $0.milliseconds / 4) }
            guard time <= now + min(Self.notice, quarter ?? Self.notice) else { return nil }
            self.init(.renew, until: time)
        default: self.init(.signIn)
        }
    }

    /// Whether the person's key signs in without the person.
    private static func signsAlone(_ person: AgentStatus.Person, _ status: AgentStatus) -> Bool {
        status.method == "UserSecureEnclaveKey" && person.keyID != nil && person.pinTries == nil
            && !person.needsSecurityKey
    }
}
