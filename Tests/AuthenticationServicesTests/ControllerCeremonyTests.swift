// SPDX-License-Identifier: Apache-2.0
import AuthenticationServices
import CTAP
import Foundation
import Primitives
import Testing
import WebAuthn

@MainActor @Suite struct ControllerCeremonyTests {
    private let party = RelyingParty(id: "example.com", origins: ["https://example.com"])

    private func verified(
        _ credential: ASAuthorizationSecurityKeyPublicKeyCredentialRegistration
    ) async throws -> VerifiedRegistration {
        let response = UnverifiedRegistration(
            id: Array(credential.credentialID), clientDataJSON: Array(credential.rawClientDataJSON),
            attestationObject: Array(try #require(credential.rawAttestationObject)))
        return try await party.verify(
            registration: response,
            expecting: RegistrationExpectation(
                challenge: Array(Play.challenge), userVerification: .preferred,
                now: Timestamp(seconds: 1_800_000_000))
        ).get()
    }

    @Test("What a key makes is what a relying party accepts: registered, then signed in")
    func roundTrip() async throws {
        let system = Play.system(keys: try PlayedKeys())
        let presenter = PlayedPresenter(pins: ["2580", "2580"])
        let registering = Play.run([Play.registration(resident: true)], system, presenter)
        let credential = try #require(
            try await registering.app.result().credential
                as? ASAuthorizationSecurityKeyPublicKeyCredentialRegistration)
        let registered = try await verified(credential)
        #expect(credential.transports == [.usb])

        let signingIn = Play.run([Play.assertion()], system, presenter)
        let authorization = try await signingIn.app.result()
        let assertion = try #require(
            authorization.credential as? ASAuthorizationSecurityKeyPublicKeyCredentialAssertion)
        #expect(assertion.userID == Data("anne_johnson".utf8))
        #expect(!assertion.appID)
        #expect(
            (authorization.provider as? ASAuthorizationSecurityKeyPublicKeyCredentialProvider)?
                .relyingPartyIdentifier == "example.com")
        _ = try party.verify(
            assertion: UnverifiedAssertion(
                id: Array(assertion.credentialID),
                clientDataJSON: Array(assertion.rawClientDataJSON),
                authenticatorData: Array(assertion.rawAuthenticatorData),
                signature: Array(assertion.signature), userHandle: Array(assertion.userID)),
            for: StoredCredential(
                id: registered.credentialId, publicKey: registered.publicKey,
                signCount: registered.signCount, userHandle: Array("anne_johnson".utf8)),
            expecting: AssertionExpectation(
                challenge: Array(Play.challenge), userVerification: .preferred)
        ).get()
        #expect(presenter.sheets.count == 2)
        #expect(presenter.outcomes.count == 2)
        #expect(presenter.notices.contains { $0.kind == .touch })
    }

    @Test("Something is always shown, and it names who asks")
    func sheet() async throws {
        let presenter = PlayedPresenter()
        let (_, app) = Play.run(
            [Play.registration()], Play.system(keys: try PlayedKeys()), presenter)
        _ = try await app.result()
        let sheet = try #require(presenter.sheets.first)
        #expect(sheet.relyingParty == "example.com")
        #expect(
            sheet.purpose
                == .registration(account: "annejohnson1@icloud.com", person: "Anne Johnson"))
        #expect(presenter.outcomes == [.succeeded(sheet.purpose)])
    }

    @Test("A key that has one of the excluded credentials is matchedExcludedCredential")
    func excluded() async throws {
        let system = Play.system(keys: try PlayedKeys())
        let first = Play.run([Play.registration()], system, PlayedPresenter())
        let id = try #require(
            try await first.app.result().credential as? any ASPublicKeyCredential
        ).credentialID
        let request = Play.registration()
        request.excludedCredentials = [.init(credentialID: id, transports: [.usb])]
        let second = Play.run([request], system, PlayedPresenter())
        #expect(await second.app.code() == .matchedExcludedCredential)
    }

    @Test("A wrong PIN is asked for again, with the tries that are left")
    func wrongPIN() async throws {
        let system = Play.system(keys: try PlayedKeys())
        let first = Play.registration(resident: true)
        first.userVerificationPreference = .required
        _ = try await Play.run([first], system, PlayedPresenter(pins: ["2580", "2580"])).app
            .result()
        let presenter = PlayedPresenter(pins: ["1111", "2580"])
        let request = Play.assertion()
        request.userVerificationPreference = .required
        _ = try await Play.run([request], system, presenter).app.result()
        #expect(presenter.questions.count == 2)
        #expect(presenter.questions.last?.problem?.contains("7 tries") == true)
    }

    @Test("A key without a credential fails, and says so")
    func noCredential() async throws {
        let presenter = PlayedPresenter()
        let (_, app) = Play.run([Play.assertion()], Play.system(keys: try PlayedKeys()), presenter)
        #expect(await app.code() == .failed)
        guard case .failed(let reason) = presenter.outcomes.first else {
            Issue.record("the person was not told")
            return
        }
        #expect(reason.contains("no credential"))
    }

    @Test("A response for another relying party is invalidResponse")
    func otherParty() async throws {
        let keys = try PlayedKeys { $0.misbehaviour = [.wrongRPIDHash] }
        let (_, app) = Play.run([Play.registration()], Play.system(keys: keys), PlayedPresenter())
        #expect(await app.code() == .invalidResponse)
    }

    @Test("Client data of a browser are signed as they are")
    func browser() async throws {
        let provider = ASAuthorizationSecurityKeyPublicKeyCredentialProvider(
            relyingPartyIdentifier: "example.com")
        let data = ASPublicKeyCredentialClientData(
            challenge: Play.challenge, origin: "https://login.example.com",
            topOrigin: "https://shop.example.org", crossOrigin: .crossOrigin)
        let request = provider.createCredentialRegistrationRequest(
            clientData: data, displayName: "A", name: "a", userID: Data([1]))
        request.credentialParameters = [.init(algorithm: .ES256)]
        let (_, app) = Play.run(
            [request], Play.system(keys: try PlayedKeys()), PlayedPresenter())
        let credential = try #require(
            try await app.result().credential as? any ASPublicKeyCredential)
        let text = String(decoding: credential.rawClientDataJSON, as: UTF8.self)
        #expect(text.contains(#""origin":"https://login.example.com""#))
        #expect(text.contains(#""topOrigin":"https://shop.example.org""#))
        #expect(text.contains(#""crossOrigin":true"#))
    }

    @Test("The async form returns what the delegate form tells")
    func asynchronous() async throws {
        let controller = AuthorizationController(
            presentationAnchor: ASPresentationAnchor(presenter: PlayedPresenter()),
            system: Play.system(keys: try PlayedKeys()))
        guard
            case .securityKeyRegistration(let credential) = try await controller.performRequest(
                Play.registration())
        else {
            Issue.record("another kind of result")
            return
        }
        #expect(!credential.credentialID.isEmpty)
        await #expect(throws: ASAuthorizationError.self) {
            try await controller.performRequests([])
        }
    }
}
