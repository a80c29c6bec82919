// SPDX-License-Identifier: Apache-2.0

/// Which key of a registration.
package enum AgentKeyRole: String, Sendable, CaseIterable {
    case deviceSigning = "device_signing"
    case deviceEncryption = "device_encryption"
    case person
}
