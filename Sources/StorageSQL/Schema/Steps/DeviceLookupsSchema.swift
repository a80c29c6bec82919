// SPDX-License-Identifier: Apache-2.0

/// Indexes for the login of a device: by person and device, so that neither all keys of a
/// person nor all keys of a device are read.
enum DeviceLookupsSchema {
    static let steps: [SchemaStep] = [
        .step(
            100, "device_keys_by_user",
            """
            CREATE INDEX device_keys_by_user ON device_keys (device_id, person_id, created_at)
            WHERE person_id IS NOT NULL
            """),
        .step(
            101, "device_keys_of_machine",
            """
            CREATE INDEX device_keys_of_machine ON device_keys (device_id, created_at)
            WHERE person_id IS NULL
            """),
    ]
}
