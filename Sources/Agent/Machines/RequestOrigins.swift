// SPDX-License-Identifier: Apache-2.0
import AgentClient
import JOSE
import Primitives

/// Decides whether the response to a request concerns the registrations of now: a value that counts
/// their ends.
struct RequestOrigins: Sendable, Equatable {
    enum Event: Sendable, Equatable {
        /// A registration ended; responses to its requests are dropped from now on.
        case ended(RegistrationSubject)
        /// The provider is being told that the device leaves.
        case departureStarted(DeviceOwner)
        case departureFinished(DeviceOwner)
    }

    private struct DepartureCount: Sendable, Equatable {
        var started: UInt64 = 0
        var running = 0
    }

    private var endings: [RegistrationSubject: UInt64] = [:]
    private var departures: [DeviceOwner: DepartureCount] = [:]

    /// The time in which a provider accepts a signed message: its nonce expires after five minutes, and a
    /// minute covers clocks that differ.
    private static let lateness = TimeSpan.minutes(6)

    mutating func handle(_ event: Event) {
        switch event {
        case .ended(let subject): endings[subject, default: 0] += 1
        case .departureStarted(let owner):
            departures[owner, default: DepartureCount()].started += 1
            departures[owner]?.running += 1
        case .departureFinished(let owner): departures[owner]?.running -= 1
        }
    }

    /// Returns the registrations of a person now; `nil` before both are registered.
    func origin(of person: String, in record: AgentRecord) -> RequestOrigin? {
        guard let owner = record.registrations.plan?.owner(of: person),
            let device = record.devices[owner], device.configuration != nil,
            let name = record.people[person]?.loginUserName
        else { return nil }
        return RequestOrigin(
            person: person, owner: owner, signing: device.signing, loginUserName: name,
            device: endings[.device(owner), default: 0],
            account: endings[.person(person), default: 0], departures: departureCount(of: owner))
    }

    /// Whether the registrations of that request are those of now. The name of a person matters until the
    /// provider has identified them.
    func isCurrent(_ origin: RequestOrigin, in record: AgentRecord) -> Bool {
        guard let now = self.origin(of: origin.person, in: record), now.owner == origin.owner,
            now.device == origin.device, now.account == origin.account
        else { return false }
        return record.people[origin.person]?.identity != nil
            || now.loginUserName.hasSameBytes(as: origin.loginUserName)
    }

    /// Whether a successful response shows that a device which started to leave is still registered.
    ///
    /// A request that was sent before or during the departure does not show it, nor does any request
    /// while the provider may still receive the message of the departure.
    func showsRegistration(
        _ origin: RequestOrigin, leavingSince since: Timestamp?, now: Timestamp
    ) -> Bool {
        guard let count = origin.departures, count == departureCount(of: origin.owner), let since
        else { return false }
        return now >= since + Self.lateness
    }

    private func departureCount(of owner: DeviceOwner) -> UInt64? {
        let departures = departures[owner, default: DepartureCount()]
        return departures.running == 0 ? departures.started : nil
    }
}
