// SPDX-License-Identifier: Apache-2.0

/// The validated parameters of a token that built-in verification precedes.
struct PINTokenRequest {
    let key: KeyAgreementKey
    let pinProtocol: PINProtocol
    let permissions: PINPermissions
}
