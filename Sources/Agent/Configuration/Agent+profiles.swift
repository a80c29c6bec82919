// SPDX-License-Identifier: Apache-2.0
import Platform
import SingleSignOn

/// Profiles, as they become what the machine of registrations goes by.
extension Agent {
    func readProfiles() async throws -> RegistrationEvent {
        let (profiles, time) = (profiles, now)
        lastReading += 1
        let reading = lastReading
        let read = try await BlockingCall.run { profiles.read(now: time) }
        // Of two at once the one that began later knows better.
        guard reading == lastReading else { return .woke }
        installed = read
        let found = ConfigurationChoice(read, former: choice) { problem(with: $0) }
        installed.problems += found.problems
        // A profile that is half written, or cannot be read, was not removed.
        guard !found.isUndecided else { return .woke }
        guard let leading = found.leading else {
            guard installed.problems.isEmpty else { return .woke }
            outgoing = configuration ?? outgoing
            choice = found
            return .planned(nil)
        }
        guard let serving = extensions.find(leading) else { return .woke }
        choice = found
        return .planned(
            found.plan(
                revision: read.revision, serving: serving, before: record.machine.plan))
    }

    /// Why the agent cannot do as that configuration says.
    private func problem(with found: SSOConfiguration) -> String? {
        guard extensions.find(found) != nil else {
            return "no such extension is installed (the one that is built in serves profiles whose "
                + "ExtensionData names an issuer)"
        }
        if let stores = found.keyStores, !stores.contains(keys.kind.rawValue) {
            return "it wants keys in \(stores.joined(separator: " or ")), and here they are in "
                + keys.kind.rawValue
        }
        if case .unknown(let word) = found.userKeyPresence {
            return "it wants the presence \(word), which nobody knows here"
        }
        return nil
    }

    /// The payload that names the extension, while one is installed.
    var configuration: SSOConfiguration? { choice.leading }

    func configuration(for account: String) -> SSOConfiguration? {
        choice.configuration(for: account)
    }

    /// What a registration goes by. A machine that a person registers takes their token, where it has
    /// none of its own.
    func configuration(
        of subject: RegistrationSubject, presence: String?
    ) -> SSOConfiguration? {
        switch subject {
        case .person(let account), .device(.person(let account)): configuration(for: account)
        case .device(.everyone): presence.flatMap { configuration(for: $0) } ?? choice.machine
        }
    }
}
