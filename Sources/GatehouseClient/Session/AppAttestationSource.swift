// SPDX-License-Identifier: Apache-2.0
import Primitives

/// Has the device's maker say at a sign-in, too, that this is the app which registered
/// (`docs/registration.md`, "Signing in").
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

    /// One request with an assertion after the other: the key counts them, and the provider takes no
    /// number after a higher one.
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
