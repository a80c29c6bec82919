// SPDX-License-Identifier: Apache-2.0

/// Why keys lead to no root.
struct CertifiedKeysError: Error, Sendable, Equatable {
    let reason: String

    init(_ reason: String) { self.reason = reason }
}
