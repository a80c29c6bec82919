// SPDX-License-Identifier: Apache-2.0

/// The reason why a statement is not correct: becomes the refusal of step 7.1.22.
struct StatementRefusal: Error {
    let code: WebAuthnRefusal.Code
    let reason: String

    init(_ code: WebAuthnRefusal.Code, _ reason: String) {
        self.code = code
        self.reason = reason
    }
}
