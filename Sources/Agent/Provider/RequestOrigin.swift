// SPDX-License-Identifier: Apache-2.0
import JOSE
import Primitives
import SingleSignOn

/// As what the provider was asked: its answer is about that registration of the machine, and of the person
/// on it, whatever has become of either while it was under way.
///
/// The key alone does not say so: a machine that is unknown keeps it until it has another, and where a
/// key is replaced the registration stays.
struct RequestOrigin: Sendable {
    let person: String
    let owner: DeviceOwner
    let signing: AgentKey
    fileprivate let loginUserName: String
    /// Which registrations they were, as ``Agent/endings`` counts them.
    fileprivate let device: UInt64
    fileprivate let account: UInt64
    /// How often the device was about to leave before; `nil` while it was.
    fileprivate let leavings: UInt64?
}

/// How often a device was about to leave, and by how many it is now.
struct LeavingCount: Sendable {
    fileprivate var begun: UInt64 = 0
    private var underWay = 0

    fileprivate var settled: UInt64? { underWay == 0 ? begun : nil }

    mutating func begin() {
        begun += 1
        underWay += 1
    }

    mutating func end() { underWay -= 1 }
}

extension Agent {
    /// `nil` before both are registered.
    func origin(of person: String) -> RequestOrigin? {
        guard let owner = record.machine.plan?.owner(of: person),
            let device = record.devices[owner], device.configuration != nil,
            let name = record.people[person]?.loginUserName
        else { return nil }
        return RequestOrigin(
            person: person, owner: owner, signing: device.signing, loginUserName: name,
            device: endings[.device(owner), default: 0],
            account: endings[.person(person), default: 0],
            leavings: leavings[owner, default: LeavingCount()].settled)
    }

    /// Whether what was asked then is about the machine and the person as they are registered now. A name
    /// decides until the provider has said who they are.
    func isStill(_ asked: RequestOrigin) -> Bool {
        guard let now = origin(of: asked.person), now.owner == asked.owner,
            now.device == asked.device, now.account == asked.account
        else { return false }
        return record.people[asked.person]?.identity != nil
            || now.loginUserName.hasSameBytes(as: asked.loginUserName)
    }

    /// A machine that was to leave, and of which somebody signs in afterwards, has not left. What was asked
    /// before, or at the same time, says nothing of it; nor does anything while what told the provider may
    /// still be on its way.
    func staysIfAnswered(_ asked: RequestOrigin) {
        guard let leavings = asked.leavings,
            leavings == self.leavings[asked.owner, default: LeavingCount()].settled,
            let since = record.devices[asked.owner]?.leavingSince,
            now >= since + Self.lateness
        else { return }
        record.devices[asked.owner]?.leavingSince = nil
    }

    /// For how long a provider takes a message that was signed: its nonce lives five minutes, and a minute
    /// is for clocks.
    private static let lateness = TimeSpan.minutes(6)

    /// From here on no answer to what was asked before counts.
    func end(_ registration: RegistrationSubject) { endings[registration, default: 0] += 1 }
}
