// SPDX-License-Identifier: Apache-2.0
import UserClient

/// `--ca`
package enum TrustedCertificates {
    /// The same path, once something in it can be trusted.
    package static func checked(_ path: String?) throws -> String? {
        guard let path else { return nil }
        guard FileCalls.exists(path) else {
            throw CommandError("--ca \(path): no such file", code: .badInput)
        }
        guard WebClient.holdsCertificates(path) else {
            throw CommandError("--ca \(path): no certificate in PEM", code: .badInput)
        }
        return path
    }
}
