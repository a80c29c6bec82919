// SPDX-License-Identifier: Apache-2.0

/// What a machine says of itself when it registers.
package struct LocalDeviceAttributes: Sendable, Equatable {
    package var serialNumber: String?
    package var udid: String?
    package var model: String?
    package var hostName: String?
    package var systemVersion: String?
}
