// SPDX-License-Identifier: Apache-2.0

/// A time in which the database accepts no changes and requests may fail.
struct Outage: Sendable {
    let start: ContinuousClock.Instant
    let end: ContinuousClock.Instant
}
