// SPDX-License-Identifier: Apache-2.0
import UserClient

extension IdentityError {
    /// Converts any error to one for the app.
    init(surfacing error: any Error, in domain: Domain) {
        switch error {
        // Who is not here is not there for what was asked, whichever part of it found that out.
        case let error as IdentityError where error.code == .notRegistered && domain != .generic:
            self = error.moved(to: domain)
        case let error as IdentityError: self = error
        case let refusal as TokenRefusal: self = refusal.error
        case is StoreError, is CancellationError: self.init(store: error)
        case UserClientError.refused(let code, let description):
            self.init(
                domain, code == "access_denied" ? .cancelled : .notAuthorized,
                description ?? code, serverCode: code)
        case UserClientError.invalidAnswer(let text):
            self.init(domain, .redirectMismatch, text, underlying: error)
        default: self.init(domain, .unknown, "\(error)", underlying: error)
        }
    }

    /// Runs an operation of the app, and converts its error.
    static func surfacing<Value>(
        _ domain: Domain, _ body: () async throws -> Value
    ) async throws -> Value {
        do { return try await body() } catch { throw IdentityError(surfacing: error, in: domain) }
    }
}
