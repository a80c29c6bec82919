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
    /// Returns the person's entitlements in the newest access token; `nil` without the scope. They
    /// are as old as the token: changes appear with the next one
    /// (``SessionEvent/entitlementsChanged(_:)``), after ``refresh()``, or in
    /// ``currentEntitlements()``.
    public nonisolated func entitlements() async throws -> Entitlements? {
        Entitlements(in: try await tokens(goodFor: .seconds(30)))
    }

    /// Returns the person's current entitlements and the remaining expendable amounts. Sends a
    /// request each time.
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

    /// Consumes an amount of an expendable entitlement. Of two concurrent calls for the last
    /// amount, one succeeds.
    ///
    /// - Parameters:
    ///   - name: Which.
    ///   - amount: The amount, at least 1.
    ///   - idempotencyKey: Identifies this use. Save it until the outcome is known: a call with the
    ///     same key within thirty days consumes nothing again and returns the first response, also
    ///     after a restart. After a lost response the request is sent once more before an error is
    ///     thrown.
    /// - Throws: ``IdentityError/Code/insufficientEntitlements`` if the remaining amount is
    ///   smaller, and ``IdentityError/Code/idempotencyKeyTaken`` if the key belongs to another use.
    ///   Nothing is consumed then.
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
            else { throw ProviderConnection.invalid("the response is about another use") }
            return Consumption(name: name, amount: amount, remaining: remaining)
        }
    }
}
