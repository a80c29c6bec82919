// SPDX-License-Identifier: Apache-2.0
import AgentClient
import SingleSignOn

/// The installed profiles, and the configurations that the agent follows: a value that turns a reading
/// of the profiles into an event of registrations.
struct ProfileState: Sendable {
    /// The capabilities of this device that decide whether it can follow a configuration.
    struct Abilities {
        let extensions: any ExtensionSource
        let keyStore: KeyStoreKind

        /// Returns why the agent cannot follow a configuration; `nil` if it can.
        fileprivate func problem(with found: SSOConfiguration) -> String? {
            guard extensions.find(found) != nil else {
                return "no such extension is installed (the one that is built in serves profiles "
                    + "whose ExtensionData names an issuer)"
            }
            if let stores = found.keyStores, !stores.contains(keyStore.rawValue) {
                return
                    "it requires keys in \(stores.joined(separator: " or ")); the keys of this device are in "
                    + keyStore.rawValue
            }
            if case .unknown(let word) = found.userKeyPresence {
                return "it requires the unknown user presence \(word)"
            }
            return nil
        }
    }

    private(set) var installed = InstalledProfiles()
    /// The configurations that the agent follows.
    private(set) var choice = ConfigurationChoice()
    /// The configuration before it, whose extension is notified of its removal.
    private(set) var removed: SSOConfiguration?
    private var lastReading: UInt64 = 0

    /// The payload that names the extension, while one is installed.
    var configuration: SSOConfiguration? { choice.leading }

    /// Returns the number of a reading that starts now.
    mutating func startReading() -> UInt64 {
        lastReading += 1
        return lastReading
    }

    /// Applies the result of a reading. Of two concurrent readings the one that started later counts.
    mutating func finish(
        _ reading: UInt64, _ read: InstalledProfiles, _ abilities: Abilities,
        before: RegistrationPlan?
    ) -> RegistrationEvent {
        guard reading == lastReading else { return .woke }
        installed = read
        let found = ConfigurationChoice(read, former: choice) { abilities.problem(with: $0) }
        installed.problems += found.problems
        // A profile that is half written, or cannot be read, was not removed.
        guard !found.isUndecided else { return .woke }
        guard let leading = found.leading else {
            guard installed.problems.isEmpty else { return .woke }
            removed = configuration ?? removed
            choice = found
            return .planned(nil)
        }
        guard let serving = abilities.extensions.find(leading) else { return .woke }
        choice = found
        return .planned(found.plan(revision: read.revision, serving: serving, before: before))
    }

    /// Returns the configuration of a registration. A device that a person registers gets their token if
    /// it has none.
    func configuration(
        of subject: RegistrationSubject, presence: String?
    ) -> SSOConfiguration? {
        switch subject {
        case .person(let account), .device(.person(let account)):
            choice.configuration(for: account)
        case .device(.everyone):
            presence.flatMap { choice.configuration(for: $0) } ?? choice.machine
        }
    }
}
