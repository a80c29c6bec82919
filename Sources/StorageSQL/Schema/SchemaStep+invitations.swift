// SPDX-License-Identifier: Apache-2.0

extension SchemaStep {
    /// Who was invited and has not come yet (``Person/invitedUntil``).
    static let invitations: [SchemaStep] = [
        step(127, "people_invited_until", "ALTER TABLE people ADD COLUMN invited_until {integer}")
    ]
}
