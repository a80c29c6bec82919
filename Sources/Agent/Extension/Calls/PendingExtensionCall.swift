// SPDX-License-Identifier: Apache-2.0
import AgentClient
import Primitives

/// A call of an extension, and its time limit.
struct PendingExtensionCall: Sendable {
    let task: Task<Void, Never>
    let limit: Task<Void, Never>
    /// The actions that start after the call.
    var needs: [RequestedNeed] = []
    /// The device whose keys it replaced outside of a registration of the device.
    var reset: DeviceOwner?
    /// A key of the person that was unlocked in this call.
    var pin: (key: AgentKey, secret: Secret)?

    func cancel() {
        task.cancel()
        limit.cancel()
    }
}
