// SPDX-License-Identifier: Apache-2.0

/// Signs with the keys of the agent.
package protocol MessageSigner: Sendable {
    /// The signature of ES256 as JWS has it, 64 bytes.
    func sign(_ message: [UInt8], with key: AgentKey) async throws -> [UInt8]
}

extension AgentKeyStore: MessageSigner {}
