// SPDX-License-Identifier: Apache-2.0

/// Why a TPM did not do what it was asked to.
package enum TPMError: Error, Sendable, Equatable {
    /// A system call failed: there is no TPM, or this process may not use it.
    case system(call: String, code: Int32)
    /// The TPM refused a command (TPM 2.0 Library part 2 section 6.6).
    case refused(code: UInt32)
    /// Another TPM made the object, or somebody changed it.
    case foreign
    /// The TPM, or what pretends to be one, does not answer as the specification says.
    case nonsense
}
