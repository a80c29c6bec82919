// SPDX-License-Identifier: Apache-2.0

extension SchemaStep {
    /// Machines by how their serial number or their name begins. Either engine folds the capitals
    /// of ASCII alone: PostgreSQL by the collation of the column.
    static let deviceSearch: [SchemaStep] = [
        step(
            109, "devices_by_serial",
            "CREATE INDEX devices_by_serial ON devices (project_id, lower(serial), id)"),
        step(
            110, "devices_by_host_name",
            "CREATE INDEX devices_by_host_name ON devices (project_id, lower(host_name), id)"),
    ]
}
