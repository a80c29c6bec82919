// SPDX-License-Identifier: Apache-2.0
import Primitives

/// Adds an assertion of the app to a sign-in, in addition to the signature of the installation's
/// key (`docs/registration.md`, "Signing in").
struct AppAttestationSource: Sendable {
    private let attestor: any DeviceAttestor
    private let keyID: String
    private let store: any SecureStore

    /// `nil` for a profile that has no attested key, and a client without an attestor.
    init?(
        _ attestor: (any DeviceAttestor)?, for profile: StoredProfile,
        in store: any SecureStore
    ) {
        guard let attestor, let keyID = profile.attestedKey else { return nil }
        (self.attestor, self.keyID, self.store) = (attestor, keyID, store)
    }

    /// Runs requests with an assertion one after the other: the key has a counter, and the provider
    /// refuses a value below the last one.
    func inTurn<Value: Sendable>(
        _ body: @Sendable () async throws -> Value
    ) async throws -> Value {
        try await store.withLock(RecordName("assertion"), body)
    }

    /// The form with an assertion over what it asserts already. One that cannot be made is left out:
    /// the provider decides whether the sign-in goes without.
    func vouching(for form: [(String, String)]) async -> [(String, String)] {
        guard let message = form.first(where: { $0.0 == "assertion" })?.1,
            let made = try? await attestor.assertion(over: Array(message.utf8), by: keyID)
        else { return form }
        return form + [("app_assertion", Base64URL.encode(made))]
    }
}
