// SPDX-License-Identifier: Apache-2.0
package import Primitives

/// Seals PIN secrets for the database, under a key that is not in the database.
package protocol PINSecretProtector: Sendable {
    /// - Parameter context: What the sealed bytes belong to; they open with the same words only.
    func seal(_ secret: Secret, context: String) throws -> [UInt8]
    func open(_ sealed: [UInt8], context: String) throws -> Secret
}
