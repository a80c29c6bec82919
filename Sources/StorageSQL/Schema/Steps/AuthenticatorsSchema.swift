// SPDX-License-Identifier: Apache-2.0

/// Additional authenticators of app installations.
enum AuthenticatorsSchema {
    static let steps: [SchemaStep] = [
        .step(
            90, "credentials_installation",
            "ALTER TABLE credentials ADD COLUMN installation_id {bytes}"),
        .step(
            91, "credentials_by_installation",
            """
            CREATE INDEX credentials_by_installation ON credentials (installation_id)
            WHERE installation_id IS NOT NULL
            """),
    ]
}
