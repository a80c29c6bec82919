// SPDX-License-Identifier: Apache-2.0
package import JOSE
package import Primitives

/// Makes and uses the keys of a device and of its people.
package protocol KeySource: Sendable {
    func makeSigningKey() async throws -> AgentKey
    func makeAgreementKey() async throws -> AgentKey
    /// Makes a signing key that a PIN protects.
    func makeSigningKey(pin: Secret) async throws -> AgentKey
    /// Returns a signature of ES256 in the form of JWS, 64 bytes.
    func sign(_ message: [UInt8], with key: AgentKey) async throws -> [UInt8]
    func sign(_ message: [UInt8], with key: AgentKey, pin: Secret) async throws -> [UInt8]
    /// Returns the X coordinate of the shared point, 32 bytes.
    func agree(_ key: AgentKey, with other: PublicJWK) async throws -> Secret
    /// Destroys a key that is not used any longer.
    func discard(_ key: AgentKey) async throws
}
