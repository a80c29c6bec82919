// SPDX-License-Identifier: Apache-2.0
import CTAP

extension ASAuthorizationError {
    /// Converts the error of a key to Apple's codes, with its description.
    init(_ error: SecurityKeyError) {
        let code: Code =
            switch error {
            case .alreadyRegistered: .matchedExcludedCredential
            case .cancelled, .touchTimedOut, .denied: .canceled
            case .untrustworthyReply, .storedDataDamaged: .invalidResponse
            case .noKey, .unsupported: .notHandled
            case .refused, .systemFailure: .unknown
            default: .failed
            }
        self.init(code, error.sentence)
    }
}
