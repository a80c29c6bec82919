// SPDX-License-Identifier: Apache-2.0

/// Devices by the prefix of their serial number or their name. Both engines ignore ASCII case:
/// PostgreSQL by the collation of the column.
enum DeviceSearchSchema {
    static let steps: [SchemaStep] = [
        .step(
            109, "devices_by_serial",
            "CREATE INDEX devices_by_serial ON devices (project_id, lower(serial), id)"),
        .step(
            110, "devices_by_host_name",
            "CREATE INDEX devices_by_host_name ON devices (project_id, lower(host_name), id)"),
    ]
}
