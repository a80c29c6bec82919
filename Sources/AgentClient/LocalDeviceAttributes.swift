// SPDX-License-Identifier: Apache-2.0

/// What a machine says of itself when it registers.
package struct LocalDeviceAttributes: Sendable, Equatable {
    package var serialNumber: String?
    package var udid: String?
    package var model: String?
    package var hostName: String?
    package var systemVersion: String?

    package init(
        serialNumber: String? = nil, udid: String? = nil, model: String? = nil,
        hostName: String? = nil, systemVersion: String? = nil
    ) {
        self.serialNumber = serialNumber
        self.udid = udid
        self.model = model
        self.hostName = hostName
        self.systemVersion = systemVersion
    }
}
