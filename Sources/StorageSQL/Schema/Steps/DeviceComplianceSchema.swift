// SPDX-License-Identifier: Apache-2.0

/// The compliance of devices that device management reported.
enum DeviceComplianceSchema {
    static let steps: [SchemaStep] = [
        .step(84, "devices_compliance", "ALTER TABLE devices ADD COLUMN compliance {text}"),
        .step(
            85, "devices_compliance_until",
            "ALTER TABLE devices ADD COLUMN compliance_until {integer}"),
    ]
}
