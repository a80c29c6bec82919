// SPDX-License-Identifier: Apache-2.0

/// The expiry of an invitation that is not yet accepted (``Person/invitedUntil``).
enum InvitationsSchema {
    static let steps: [SchemaStep] = [
        .step(127, "people_invited_until", "ALTER TABLE people ADD COLUMN invited_until {integer}")
    ]
}
