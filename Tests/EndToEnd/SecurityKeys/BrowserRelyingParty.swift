// SPDX-License-Identifier: Apache-2.0
import JOSE
import Primitives
import Testing
import WebAuthn

/// The relying party of these stories: our library, asked by a real browser.
struct BrowserRelyingParty {
    let party: RelyingParty
    let page: WebAuthnPage
    private let random = SystemRandomSource()

    init(_ browser: WebDriver, _ party: RelyingParty) {
        self.party = party
        page = WebAuthnPage(browser: browser)
    }

    init(_ browser: WebDriver, origin: String) {
        self.init(browser, RelyingParty(id: "localhost", origins: [origin]))
    }

    /// One registered credential with what came of its registration.
    struct Registered {
        let response: String
        let challenge: [UInt8]
        let verified: VerifiedRegistration

        var stored: StoredCredential {
            StoredCredential(
                id: verified.credentialId, publicKey: verified.publicKey,
                signCount: verified.signCount, backupEligible: verified.isBackupEligible)
        }
    }

    func creationOptions() -> CreationOptions {
        CreationOptions(
            relyingParty: party, name: "Browser stories",
            user: .init(id: random.bytes(16), name: "ada", displayName: "Ada"),
            challenge: random.bytes(32))
    }

    func requestOptions(for registered: Registered) -> RequestOptions {
        var options = RequestOptions(relyingParty: party, challenge: random.bytes(32))
        options.allowCredentials = [
            CredentialDescriptor(
                id: registered.verified.credentialId, transports: registered.verified.transports)
        ]
        return options
    }

    /// Registers through the page; a refusal of our library is thrown.
    ///
    /// - Parameter button: What is clicked for it, where a browser wants to see a person do so.
    func register(
        _ options: CreationOptions, attestation: AttestationPolicy = .unassessed,
        clicking button: String? = nil
    ) async throws -> Registered {
        let response =
            if let button {
                try await page.created(options.json, byClickOn: button)
            } else {
                try await page.created(options.json)
            }
        let expectation = RegistrationExpectation(
            challenge: options.challenge, userVerification: options.userVerification,
            algorithms: AcceptedAlgorithms(options.algorithms), attestation: attestation,
            extensions: options.extensions, now: SystemWallClock().now)
        let verified = try await party.verify(
            registration: UnverifiedRegistration(json: Array(response.utf8)),
            expecting: expectation
        ).get()
        return Registered(
            response: response, challenge: options.challenge, verified: verified)
    }

    /// Signs in through the page; a refusal of our library is thrown.
    @discardableResult
    func signIn(
        _ registered: Registered, _ options: RequestOptions? = nil
    ) async throws -> VerifiedAssertion {
        let options = options ?? requestOptions(for: registered)
        let response = try await page.get(options)
        let expectation = AssertionExpectation(
            challenge: options.challenge, userVerification: options.userVerification,
            allowCredentials: options.allowCredentials.map(\.id), extensions: options.extensions)
        return try party.verify(
            assertion: response, for: registered.stored, expecting: expectation
        ).get()
    }
}
