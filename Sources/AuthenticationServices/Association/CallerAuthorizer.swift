// SPDX-License-Identifier: Apache-2.0
package import CTAP

/// Decides on whose behalf an app may act.
package protocol CallerAuthorizer: Sendable {
    /// - Parameter clientDataJSON: what a browser made; `nil` for any other app.
    /// - Throws: ``ASAuthorizationError/Code/failed`` with the reason.
    func caller(
        for relyingParty: String, clientDataJSON: [UInt8]?
    ) async throws(ASAuthorizationError) -> CeremonyCaller
}
