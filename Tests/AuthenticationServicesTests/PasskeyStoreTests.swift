// SPDX-License-Identifier: Apache-2.0
import AuthenticationServices
import Primitives
import Testing

@MainActor @Suite(.timeLimit(.minutes(5))) struct PasskeyStoreTests {
    private final class Folder {
        let path = FileManager.default.temporaryDirectory.appending(
            path: "passkeys-\(UUID().uuidString)"
        ).path
        var store: String { path + "/deep/passkeys" }

        deinit { try? FileManager.default.removeItem(atPath: path) }
    }

    private let folder = Folder()
    private let provider = ASAuthorizationPlatformPublicKeyCredentialProvider(
        relyingPartyIdentifier: Play.relyingParty)

    private func system() throws -> AuthorizationSystem {
        Play.system(
            keys: .absent,
            platform: PasskeyStore(
                path: folder.store, clock: SystemWallClock(), random: SystemRandomSource()))
    }

    private func registration() -> ASAuthorizationPlatformPublicKeyCredentialRegistrationRequest {
        provider.createCredentialRegistrationRequest(
            challenge: Play.challenge, name: "anne", userID: Data("anne_johnson".utf8))
    }

    private func register(
        _ presenter: PlayedPresenter = PlayedPresenter(pins: ["2580", "2580"])
    ) async throws -> ASAuthorizationPlatformPublicKeyCredentialRegistration {
        let (_, app) = Play.run([registration()], try system(), presenter)
        return try #require(
            try await app.result().credential
                as? ASAuthorizationPlatformPublicKeyCredentialRegistration)
    }

    @Test("A passkey is made, kept in a file for its owner alone, and signs in")
    func roundTrip() async throws {
        let presenter = PlayedPresenter(pins: ["2580", "2580"])
        let made = try await register(presenter)
        #expect(made.attachment == .platform)
        #expect(presenter.sheets.first?.usesSecurityKey == false)
        #expect(presenter.choices == [["Continue", "Cancel"]])
        for file in [folder.store, folder.store + ".key"] {
            let attributes = try FileManager.default.attributesOfItem(atPath: file)
            #expect((attributes[.posixPermissions] as? Int) == 0o600, "\(file)")
        }
        let request = provider.createCredentialAssertionRequest(challenge: Play.challenge)
        let (_, app) = Play.run(
            [request], try system(), PlayedPresenter(),
            options: .preferImmediatelyAvailableCredentials)
        let assertion = try #require(
            try await app.result().credential
                as? ASAuthorizationPlatformPublicKeyCredentialAssertion)
        #expect(assertion.credentialID == made.credentialID)
        #expect(assertion.userID == Data("anne_johnson".utf8))
    }

    @Test("Where there is no passkey nothing is available at once, and no store is made")
    func nothingAtOnce() async throws {
        let presenter = PlayedPresenter()
        let request = provider.createCredentialAssertionRequest(challenge: Play.challenge)
        let (_, app) = Play.run(
            [request], try system(), presenter, options: .preferImmediatelyAvailableCredentials)
        #expect(await app.code() == .canceled)
        #expect(presenter.sheets.isEmpty)
        #expect(!FileManager.default.fileExists(atPath: folder.store))
    }

    @Test("Another site's passkey is not available, at once or at all")
    func otherSite() async throws {
        _ = try await register()
        let request = ASAuthorizationPlatformPublicKeyCredentialProvider(
            relyingPartyIdentifier: "other.example"
        ).createCredentialAssertionRequest(challenge: Play.challenge)
        let atOnce = Play.run(
            [request], try system(), PlayedPresenter(),
            options: .preferImmediatelyAvailableCredentials)
        #expect(await atOnce.app.code() == .canceled)
        let asked = Play.run([request], try system(), PlayedPresenter())
        #expect(await asked.app.code() == .failed)
    }

    @Test("The person says no: canceled, and no passkey is made")
    func refused() async throws {
        let presenter = PlayedPresenter(pins: ["2580", "2580"], choice: 1)
        let (_, app) = Play.run([registration()], try system(), presenter)
        #expect(await app.code() == .canceled)
        _ = try await register(PlayedPresenter())
    }

    @Test("A conditional request is for credential managers, of which there is none")
    func conditional() async throws {
        let request = provider.createCredentialRegistrationRequest(
            challenge: Play.challenge, name: "anne", userID: Data([1]), requestStyle: .conditional)
        let (_, app) = Play.run([request], try system(), PlayedPresenter())
        #expect(await app.code() == .notHandled)
    }

    @Test("A store that is no store fails in a sentence")
    func damaged() async throws {
        try FileManager.default.createDirectory(
            atPath: folder.path + "/deep", withIntermediateDirectories: true)
        try Data("nonsense".utf8).write(to: URL(filePath: folder.store))
        let (_, app) = Play.run([registration()], try system(), PlayedPresenter())
        #expect(await app.code() == .failed)
    }
}
