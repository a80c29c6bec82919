// SPDX-License-Identifier: Apache-2.0

/// The person's decision, which the provider has accepted.
public enum ApprovalOutcome: Sendable, Hashable {
    /// Yes.
    case approved
    /// No.
    case denied
}
