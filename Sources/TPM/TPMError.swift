// SPDX-License-Identifier: Apache-2.0

/// The reason why a TPM did not perform an operation.
package enum TPMError: Error, Sendable, Equatable {
    /// A system call failed: there is no TPM, or this process has no access to it.
    case system(call: String, code: Int32)
    /// The TPM refused a command (TPM 2.0 Library part 2 section 6.6).
    case refused(code: UInt32)
    /// The object is from another TPM or was modified.
    case foreign
    /// The response violates the specification.
    case nonsense
}
