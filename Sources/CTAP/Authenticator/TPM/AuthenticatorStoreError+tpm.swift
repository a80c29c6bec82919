// SPDX-License-Identifier: Apache-2.0

/// The response codes of a TPM for passwords (TPM 2.0 Library part 2 section 6.6).
extension AuthenticatorStoreError {
    /// `TPM_RC_AUTH_FAIL` of the first session, which counts as a wrong try.
    package var isWrongPassword: Bool { self == .tpm(code: 0x98E) }

    /// `TPM_RC_LOCKOUT`: too many wrong tries, at this key or at others.
    package var isLockedOut: Bool { self == .tpm(code: 0x921) }
}
