// SPDX-License-Identifier: Apache-2.0

/// Registration tokens by the prefix of their label or their serial number.
enum TokenSearchSchema {
    static let steps: [SchemaStep] = [
        .step(
            114, "device_tokens_by_label",
            "CREATE INDEX device_tokens_by_label ON device_tokens (project_id, lower(label), id)"),
        .step(
            115, "device_tokens_by_serial",
            "CREATE INDEX device_tokens_by_serial ON device_tokens (project_id, lower(serial), id)"
        ),
    ]
}
