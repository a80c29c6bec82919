// SPDX-License-Identifier: Apache-2.0
import AgentClient

/// The registrations under which a request was sent: its response concerns them alone.
///
/// The key does not identify a registration: a device that the provider does not know has its key until
/// it has another, and a rotated key belongs to the same registration.
struct RequestOrigin: Sendable, Equatable {
    let person: String
    let owner: DeviceOwner
    let signing: AgentKey
    let loginUserName: String
    /// How many registrations of the device had ended.
    let device: UInt64
    /// How many registrations of the person had ended.
    let account: UInt64
    /// How often the device had started to leave; `nil` while it was leaving.
    let departures: UInt64?
}
