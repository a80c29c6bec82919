// SPDX-License-Identifier: Apache-2.0
package import AgentClient

/// What is registered: a device, or a person on it.
package enum RegistrationSubject: Sendable, Hashable {
    case device(DeviceOwner)
    case person(String)
}
