// SPDX-License-Identifier: Apache-2.0

/// The pair of device keys that a call is about.
package struct DeviceKeyPairs: Sendable, Equatable {
    package let signing: AgentKey
    package let encryption: AgentKey
}
