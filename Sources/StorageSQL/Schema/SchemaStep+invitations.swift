// SPDX-License-Identifier: Apache-2.0

extension SchemaStep {
    /// The expiry of an invitation that is not yet accepted (``Person/invitedUntil``).
    static let invitations: [SchemaStep] = [
        step(127, "people_invited_until", "ALTER TABLE people ADD COLUMN invited_until {integer}")
    ]
}
