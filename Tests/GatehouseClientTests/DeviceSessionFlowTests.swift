// SPDX-License-Identifier: Apache-2.0
import Foundation
import GatehouseClient
import GatehouseTesting
import JOSE
import Storage
import Testing

/// Sessions of a device without a person.
@Suite("Device sessions") struct DeviceSessionFlowTests {
    private let provider: InProcessProvider
    private let wire: FaultyTransport
    private let client: IdentityClient

    init() async throws {
        provider = try await InProcessProvider()
        try await provider.letDevices(have: ["catalogue", "weather"])
        wire = FaultyTransport(provider)
        client = try provider.client(transport: wire)
    }

    private func registered() async throws -> Profile {
        try await client.register(.credential(provider.testKey())).profile
    }

    private func subject(of token: AccessToken) throws -> String? {
        let jws = try UnverifiedJWS(compact: token.reveal())
        return try JSONParser.parseObject(jws.payload, maximumBytes: 65_536)["sub"]?.string
    }

    @Test("A device has a session of its own, bound to its key and renewed by it")
    func renews() async throws {
        let profile = try await registered()
        let session = try await client.device.session(scopes: ["catalogue"])
        let token = try await session.accessToken()
        #expect(token.isBoundToKey && token.scopes == ["catalogue"])
        #expect(try subject(of: token) == profile.installationID)
        #expect(try await session.accessToken() == token)
        provider.clock.advance(by: .seconds(3700))
        #expect(try await session.accessToken() != token)
        let all = try await client.device.session().accessToken()
        #expect(Set(all.scopes) == ["catalogue", "weather"])
    }

    @Test("A thousand who need a new token cause one request")
    func oneCall() async throws {
        _ = try await registered()
        let session = try await client.device.session(scopes: ["catalogue"])
        provider.clock.advance(by: .seconds(3700))
        let before = wire.count("/token")
        let tokens = try await withThrowingTaskGroup(of: AccessToken.self) { group in
            for _ in 0..<1000 { group.addTask { try await session.accessToken() } }
            return try await group.reduce(into: [AccessToken]()) { $0.append($1) }
        }
        #expect(tokens.allSatisfy { $0 == tokens.first })
        #expect(wire.count("/token") == before + 1)
    }

    @Test("It opens nothing that is somebody's, and goes over https only")
    func nobodysData() async throws {
        _ = try await registered()
        let session = try await client.device.session(scopes: ["catalogue"])
        let answer = try await session.data(
            for: ResourceRequest(InProcessProvider.issuer + "/entitlements"))
        #expect(answer.status == 401)
        await #expect(throws: IdentityError.made(.resource, .requestInvalid)) {
            try await session.data(for: ResourceRequest("http://example.com/"))
        }
        var request = ResourceRequest("https://api.example/catalogue?page=2")
        try await session.authorize(&request)
        let headers = request.headers.map { ($0.name, $0.value) }
        #expect(headers.contains { $0.0 == "authorization" && $0.1.hasPrefix("DPoP ") })
        #expect(headers.contains { $0.0 == "dpop" })
    }

    @Test("Signed out or guarded by a PIN, the device is what it was")
    func withoutPerson() async throws {
        let flow = client.registration(.credential(try provider.testKey()))
        for try await case .createPIN(let challenge) in flow {
            try challenge.respond(with: try PIN("24681"))
        }
        let profile = try await flow.outcome.profile
        try await client.signOut(profile.id)
        let session = try await client.device.session(scopes: ["weather"], with: profile.id)
        #expect(try await session.accessToken().scopes == ["weather"])
    }

    @Test("Somebody who only signed in does not hide the key of another profile")
    func otherProfile() async throws {
        let registered = try await registered()
        let anna = try await client.signIn(
            with: try await ScriptedBrowser("anna", at: provider)
        ).profile
        #expect(try await client.session().profile.id == anna.id)
        let token = try await client.device.session().accessToken()
        #expect(try subject(of: token) == registered.installationID)
        await #expect(throws: IdentityError.made(.authentication, .notRegistered)) {
            try await client.device.session(with: anna.id)
        }
    }

    @Test("Registered again, the device goes on with its new key; once it is removed it has none")
    func registersAgain() async throws {
        let issuer = try await provider.addIssuer()
        try await provider.change { $0.policy.registration.secondInstallations = true }
        let first = try await client.register(.credential(issuer("anna"))).profile
        let session = try await client.device.session(scopes: ["catalogue"])
        let second = try await client.register(.credential(issuer("anna"))).profile
        #expect(second.id == first.id)
        provider.clock.advance(by: .seconds(3700))
        #expect(try subject(of: try await session.accessToken()) == second.installationID)
        try await client.remove(second.id)
        provider.clock.advance(by: .seconds(3700))
        await #expect(throws: IdentityError.made(.authentication, .notRegistered)) {
            try await session.accessToken()
        }
    }

    @Test("Without a registered key, for a person's scopes, or removed at the provider: none")
    func refused() async throws {
        await #expect(throws: IdentityError.made(.authentication, .notRegistered)) {
            try await client.device.session()
        }
        let profile = try await registered()
        for scopes in [["openid"], ["catalogue", "openid"], []] {
            await #expect(throws: IdentityError.made(.authentication, .configurationInvalid)) {
                try await client.device.session(scopes: scopes)
            }
        }
        let session = try await client.device.session(scopes: ["catalogue"])
        try await provider.removeAllInstallations(of: profile.userID)
        provider.clock.advance(by: .seconds(3700))
        await #expect(throws: IdentityError.made(.authentication, .notAuthorized)) {
            try await session.accessToken()
        }
    }
}
