// SPDX-License-Identifier: Apache-2.0
import UserClient

/// `--ca`
enum TrustedCertificates {
    /// The same path, once something in it can be trusted.
    static func checked(_ path: String?) throws -> String? {
        guard let path, let obstacle = WebClient.obstacle(toTrusting: path) else { return path }
        throw CommandError("--ca \(path): \(obstacle)", code: .badInput)
    }
}
