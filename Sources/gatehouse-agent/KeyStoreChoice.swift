// SPDX-License-Identifier: Apache-2.0
import Agent

/// Where the agent's keys live, as `--keys` and the state before say.
struct KeyStoreChoice: Equatable {
    let kind: KeyStoreKind
    /// Whether a new state begins with keys in a file because there is no TPM, or none yet: they stay
    /// there, so that is said.
    let isWeaker: Bool

    /// - Parameter before: where the state's keys are; `nil` for a new one.
    init(_ keys: AgentRunCommand.Keys, before: KeyStoreKind?, hasTPM: Bool) {
        switch keys {
        case .tpm: kind = .tpm
        case .pkcs11: kind = .pkcs11
        case .file: kind = .file
        case .auto: kind = before ?? (hasTPM ? .tpm : .file)
        }
        isWeaker = keys == .auto && before == nil && !hasTPM
    }
}
