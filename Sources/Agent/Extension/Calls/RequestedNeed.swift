// SPDX-License-Identifier: Apache-2.0

/// An action that an extension requested, and the keys that it concerns.
struct RequestedNeed: Sendable {
    let need: ExtensionRepairReason
    let place: KeyOwner
}
