// SPDX-License-Identifier: Apache-2.0
import JOSE
import Primitives

#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

/// All of this needs the scope `entitlements`, which an app asks for among its
/// ``ClientConfiguration/scopes``.
extension UserSession {
    /// What the person may do, by the newest access token; `nil` without the scope. From memory
    /// while the token is good, so it is as old as the token: what has changed since shows with the
    /// next one (``SessionEvent/entitlementsChanged(_:)``), after ``refresh()``, or in
    /// ``currentEntitlements()``.
    public nonisolated func entitlements() async throws -> Entitlements? {
        Entitlements(in: try await tokens(goodFor: .seconds(30)))
    }

    /// What the person may do now, and what is left of what is used up. Asks the provider each time.
    ///
    /// - Throws: ``IdentityError/Code/scopeMissing`` and ``IdentityError/Code/notSignedIn``.
    public nonisolated func currentEntitlements() async throws -> CurrentEntitlements {
        try await IdentityError.surfacing(.resource) {
            let answer = try await object(
                "GET", "entitlements", among: CurrentEntitlements.scope, in: .resource)
            guard let current = CurrentEntitlements(answer) else {
                throw ProviderConnection.invalid("the entitlements are incomplete")
            }
            return current
        }
    }

    /// Uses up some of an expendable entitlement. Of two who want the last of it one gets it.
    ///
    /// - Parameters:
    ///   - name: Which.
    ///   - amount: How much, one or more.
    ///   - idempotencyKey: Names this use. Keep it until the outcome is known: doing it again with
    ///     the same key, for thirty days, uses up nothing more and gives the first answer, also
    ///     after the app was ended. A lost answer is asked for once more before it is an error.
    /// - Throws: ``IdentityError/Code/insufficientEntitlements`` when less is left, and
    ///   ``IdentityError/Code/idempotencyKeyTaken`` for a key that stood for something else;
    ///   nothing is used up then.
    @discardableResult
    public nonisolated func consume(
        _ name: String, amount: Int64 = 1, idempotencyKey: UUID
    ) async throws -> Consumption {
        try await IdentityError.surfacing(.resource) {
            let id = idempotencyKey.uuidString.lowercased()
            let body: JSONValue = [
                "request_id": .string(id), "name": .string(name), "amount": .integer(amount),
            ]
            let used = try await object(
                "POST", "consume", among: CurrentEntitlements.scope, body, isRepeatable: true,
                in: .resource)
            guard used["request_id"]?.string == id, used["name"]?.string == name,
                used["amount"]?.integer == amount, let remaining = used["remaining"]?.integer
            else { throw ProviderConnection.invalid("the answer is about another use") }
            return Consumption(name: name, amount: amount, remaining: remaining)
        }
    }
}
