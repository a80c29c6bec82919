// SPDX-License-Identifier: Apache-2.0
package import Primitives

extension MessageClaims {
    /// The accepted clock skew, unless a provider's expectation overrides it.
    package static let leeway = TimeSpan.seconds(60)

    /// `iat`, which must be there and not lie in the future.
    ///
    /// - Throws: `claimMissing`, `claimMalformed`, `issuedInFuture`.
    func issuedAt(
        now: Timestamp, leeway: TimeSpan = leeway
    ) throws(PlatformSSORefusal) -> Timestamp {
        guard let time = try self.time("iat") else {
            throw PlatformSSORefusal(.claimMissing, "iat is missing")
        }
        guard time <= now + leeway else {
            throw PlatformSSORefusal(.issuedInFuture, "iat lies in the future")
        }
        return time
    }

    /// Returns `exp`, which must not have passed.
    ///
    /// - Parameter substitute: The value if there is none.
    /// - Throws: `claimMissing`, `claimMalformed`, `expired`.
    func expiresAt(
        now: Timestamp, leeway: TimeSpan = leeway, substitute: Timestamp? = nil
    ) throws(PlatformSSORefusal) -> Timestamp {
        guard let time = try self.time("exp") ?? substitute else {
            throw PlatformSSORefusal(.claimMissing, "exp is missing")
        }
        guard time > now - leeway else {
            throw PlatformSSORefusal(.expired, "exp has passed")
        }
        return time
    }

    /// `nbf`, which may be left out and must not lie in the future.
    ///
    /// - Throws: `claimMalformed`, `notYetValid`.
    func checkNotBefore(
        now: Timestamp, leeway: TimeSpan = leeway
    ) throws(PlatformSSORefusal) {
        guard let time = try self.time("nbf") else { return }
        guard time <= now + leeway else {
            throw PlatformSSORefusal(.notYetValid, "nbf lies in the future")
        }
    }
}
