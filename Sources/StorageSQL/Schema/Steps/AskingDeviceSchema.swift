// SPDX-License-Identifier: Apache-2.0

/// The name of a device that requests a code, displayed to the person who enters it.
enum AskingDeviceSchema {
    static let steps: [SchemaStep] = [
        .step(
            108, "device_authorizations_device",
            "ALTER TABLE device_authorizations ADD COLUMN device {text} NOT NULL DEFAULT ''")
    ]
}
