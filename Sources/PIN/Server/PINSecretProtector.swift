// SPDX-License-Identifier: Apache-2.0
package import Primitives

/// A protector of PIN secrets in the database, with a key that is not in the database.
package protocol PINSecretProtector: Sendable {
    /// - Parameter context: The owner of the sealed bytes; they can be opened only with the same
    ///   context.
    func seal(_ secret: Secret, context: String) throws -> [UInt8]
    func open(_ sealed: [UInt8], context: String) throws -> Secret
}
