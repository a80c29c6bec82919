// SPDX-License-Identifier: Apache-2.0
import AuthenticationServices
import CTAP
import GatehousePasskeys
import GatehouseTesting
import Primitives
import Support
import Synchronization

/// A device with passkeys in a file, and a person in front of it.
final class PasskeyMachine: Sendable {
    let presenter = PlayedPerson()
    private let folder = TestFolder()

    /// - Parameter origin: On whose behalf the app acts.
    func passkeys(origin: String = InProcessProvider.issuer) -> SystemPasskeys {
        let presenter = presenter
        return SystemPasskeys(
            system: AuthorizationSystem(
                securityKeys: NoKeys(),
                platform: PasskeyStore(
                    path: folder.path("passkeys"), clock: SystemWallClock(),
                    random: SystemRandomSource()),
                callers: OneOrigin(origin: origin), slot: AuthorizationSlot()),
            anchor: { ASPresentationAnchor(presenter: presenter) })
    }
}

/// Nothing is plugged in.
private struct NoKeys: CredentialAuthenticator {
    struct Absent: Error {}

    func hasCredential(relyingParty: String, allowed: [CTAPCredentialDescriptor]) async -> Bool {
        false
    }

    func client(interaction: any SecurityKeyInteraction) async throws -> any CredentialClient {
        throw Absent()
    }
}

/// An authority that accepts an app's origin without verification.
private struct OneOrigin: CallerAuthorizer {
    let origin: String

    func caller(
        for relyingParty: String, clientDataJSON: [UInt8]?
    ) async throws(ASAuthorizationError) -> CeremonyCaller { .web(origin: origin) }
}

/// A person with the PIN of their passkeys, who continues or cancels.
final class PlayedPerson: AuthorizationPresenter {
    private let hasGivenUp = Mutex(false)

    /// From now on.
    func giveUp(_ gives: Bool) { hasGivenUp.withLock { $0 = gives } }

    func begin(_ sheet: AuthorizationSheet, cancel: @escaping @Sendable () -> Void) async throws {
        if hasGivenUp.withLock({ $0 }) { cancel() }
    }

    func show(_ notice: AuthorizationInstruction) async {}

    func enterPIN(_ question: AuthorizationPINPrompt) async -> String? { "2580" }

    func choose(_ question: String, from choices: [String]) async -> Int? { 0 }

    func end(_ outcome: AuthorizationOutcome) async {}
}
