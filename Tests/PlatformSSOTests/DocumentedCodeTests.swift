// SPDX-License-Identifier: Apache-2.0
import Foundation
import JOSE
import PlatformSSO
import Primitives
import Testing

/// The code and the inspection of docs/platform-sso.md, run. The text between two marks is on the
/// page unchanged.
@Suite("docs/platform-sso.md, its code") struct DocumentedCodeTests {
    private let parties = TestParties()
    private let groups = ["staff"]
    private let now = TestParties.now

    /// A device's keys, as hardware would hold them.
    private struct Hardware: Sendable {
        let signing: PrivateJWK
        let encryption: PrivateJWK

        func sign(_ input: [UInt8]) async throws -> [UInt8] {
            try JOSESigner(signing, algorithm: .es256).signature(over: input)
        }

        func agree(with key: PublicJWK) async throws -> [UInt8] {
            try KeyAgreement.sharedSecret(encryption, key)
        }
    }

    private func answer(_ login: VerifiedLoginRequest) throws -> LoginResponse {
        parties.loginResponse(
            try parties.idToken(nonce: login.facts.nonce) { $0["groups"] = ["staff"] })
    }

    private func provider(_ fields: [FormField]) throws -> [UInt8]? {
        let clientID = parties.configuration.clientID
        let endpoints = [parties.configuration.tokenEndpointURL]
        let audience = parties.configuration.audience
        let (device, keys, random) = (parties.device, parties.loginKeys, parties.random)
        // page: 0
        // The other form asks for a nonce.
        guard case .request(_, let text) = try RequestForm(fields) else { return nil }
        let unverified = try UnverifiedRequest(compact: Array(text.utf8))
        // Look up by what it says: signingKeyID, clientID and username of its message
        // The others are .refresh, .key and .authorization.
        guard case .login(let request) = unverified else { return nil }
        // request.assertion names the person's key, or the provider's, or brings a card's certificates
        let verifier = RequestVerifier(
            .init(clientID: clientID, endpoints: endpoints, audience: audience))
        let login = try verifier.verify(request, device: device, keys: keys, now: now).get()
        // Consume login.facts.serverNonce, prove what login.credential leaves open, then answer
        return try answer(login).sealed(for: login.facts.response, random: random)
        // page: end
    }

    private func device(
        _ post: ([FormField]) async throws -> [UInt8]
    ) async throws -> VerifiedLogin {
        let (configuration, user, random) = (parties.configuration, parties.user, parties.random)
        let identity = DeviceIdentity(
            signing: parties.deviceSigning.publicKey, encryption: parties.deviceEncryption.publicKey
        )
        let (nonce, password) = (TestParties.serverNonce, Secret("correct horse"))
        let key = Hardware(signing: parties.deviceSigning, encryption: parties.deviceEncryption)
        let keys = try parties.providerKeys()
        // page: 1
        let context = LoginRequestContext(
            configuration: configuration, user: user, device: identity, serverNonce: nonce,
            now: now, random: random)
        let draft = try context.login(.password(password), groups: groups, random: random)
        // With a key at hand: draft.signed(by:)
        let message = draft.compact(signature: try await key.sign(draft.signingInput))
        let body = try await post(configuration.loginForm(message))
        let sealed = try SealedResponse(compact: body)
        let secret = try await key.agree(with: sealed.ephemeralKey)  // 32 bytes
        let response = try LoginResponse(sealed.open(sharedSecret: secret, apv: context.apv))
        return try LoginResponseVerifier(configuration: configuration, keys: keys)
            .verify(response, nonce: context.nonce, groups: groups, now: now).get()
        // page: end
    }

    @Test("The two pieces of code sign a person in with one another")
    func runs() async throws {
        let login = try await device { fields in
            #expect(try provider([FormField("grant_type", "srv_challenge")]) == nil)
            return try #require(try provider(fields))
        }
        #expect(login.claims["sub"] == "anna")
    }

    @Test("The page has the code that runs here", arguments: [0, 1])
    func code(_ number: Int) throws {
        let blocks = Self.blocks("swift")
        #expect(blocks.count == 2)
        let source = try String(contentsOf: URL(filePath: #filePath), encoding: .utf8)
        let part = try #require(
            source.components(separatedBy: "        // page: \(number)\n").last?
                .components(separatedBy: "        // page: end\n").first)
        let lines = part.components(separatedBy: "\n").map { $0.dropFirst(8) }
        #expect(blocks[number] + "\n" == lines.joined(separator: "\n"))
    }

    @Test("The page's check is the one that is printed for a key of another device")
    func check() throws {
        let message = String(decoding: try parties.login(), as: UTF8.self)
        let keys = [parties.deviceSigning, parties.stranger].map {
            JSONWebKey.publicKey($0.publicKey)
        }
        let inspection = MessageInspection(of: message, keys: keys, now: now)
        let failed = inspection.json["checks"]?.array?.filter { $0["outcome"] == "failed" }
        #expect(failed?.map(\.text) == Self.blocks("check"))
    }

    /// The fenced blocks of that language.
    private static func blocks(_ language: String) -> [String] {
        let package = URL(filePath: #filePath).deletingLastPathComponent()
            .deletingLastPathComponent().deletingLastPathComponent()
        let file = package.appending(path: "docs/platform-sso.md")
        let page = (try? String(contentsOf: file, encoding: .utf8)) ?? ""
        return page.components(separatedBy: "```\(language)\n").dropFirst().compactMap {
            $0.components(separatedBy: "\n```").first
        }
    }
}
