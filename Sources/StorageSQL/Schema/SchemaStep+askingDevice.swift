// SPDX-License-Identifier: Apache-2.0

extension SchemaStep {
    /// What a device calls itself that asks for a code, shown to whoever types it.
    static let askingDevice: [SchemaStep] = [
        step(
            108, "device_authorizations_device",
            "ALTER TABLE device_authorizations ADD COLUMN device {text} NOT NULL DEFAULT ''")
    ]
}
