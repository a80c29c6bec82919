// SPDX-License-Identifier: Apache-2.0
package import Primitives

/// Keys that are being rotated, and what extensions saved about keys.
package struct ManagedKeys: Sendable, Equatable {
    /// New keys of rotations that are not completed.
    package var pending: [AgentKeyRole: AgentKey] = [:]
    /// The new keys that the agent sent to the provider, which may know them already.
    package var offered: Set<AgentKeyRole> = []
    /// DER
    package var certificates: [AgentKeyRole: [UInt8]] = [:]
    /// When keys of rotations became active.
    package var since: [AgentKeyRole: Timestamp] = [:]

    package init() {}
}
