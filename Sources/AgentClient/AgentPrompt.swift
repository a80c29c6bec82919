// SPDX-License-Identifier: Apache-2.0

/// A message or prompt for a person; the client shows it, never the extension.
package enum AgentPrompt: Sendable, Equatable {
    case line(String, suggestion: String?)
    case secret(String)
    case choice(String, [String])
    /// A sentence that asks nothing.
    case notice(String)
    /// A page to open in the browser of this machine, where its answer comes to.
    case page(String)
    /// A page to open anywhere, and the code to type there (RFC 8628 section 3.3).
    case code(DeviceCodeInstructions)
}
