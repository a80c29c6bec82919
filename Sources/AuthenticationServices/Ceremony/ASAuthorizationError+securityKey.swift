// SPDX-License-Identifier: Apache-2.0
import CTAP

extension ASAuthorizationError {
    /// What happened with a key, as Apple's codes tell it; the sentence goes along.
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
