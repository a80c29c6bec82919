// SPDX-License-Identifier: Apache-2.0
import Agent
import JOSE
import PlatformSSO
import Primitives
import Support
import Testing

@Suite struct ProviderClientTests {
    private let clock = ManualClock()
    private let user = UserLoginConfiguration(loginUserName: "anna")
    private let password = Secret(PlayedProvider.password)

    private func parties(
        _ configuration: LoginConfiguration = PlayedProvider.configuration
    ) async throws -> (ProviderClient, PlayedProvider) {
        let random = SystemRandomSource()
        let keys = AgentKeyStore(.file, random: random)
        let (signing, encryption) = (
            try await keys.makeSigningKey(), try await keys.makeAgreementKey()
        )
        let provider = try PlayedProvider(
            clock: clock,
            device: DeviceKeys(
                signing: signing.publicKey, encryption: [encryption.publicKey]))
        let exchange = ProviderExchange(web: provider, clock: clock, random: random)
        return (
            ProviderClient(
                exchange: exchange, configuration: configuration, keys: keys, signing: signing,
                encryption: encryption), provider
        )
    }

    @Test("A password signs in, and the refresh token goes on from there")
    func signIn() async throws {
        let (client, provider) = try await parties()
        let login = try await client.signIn(user, password: password)
        #expect(login.uniqueIdentifier == "s1")
        let renewed = try await client.refresh(user, token: login.response.refreshToken)
        #expect(renewed.response.refreshToken != login.response.refreshToken)
        #expect(provider.requests == ["nonce", "/token", "/jwks", "nonce", "/refresh", "/jwks"])
    }

    @Test("The unlock key agrees with a local key as two local keys do")
    func agree() async throws {
        let (client, provider) = try await parties()
        let own = try PrivateJWK(scalar: Secret([UInt8](repeating: 3, count: 32)), on: .p256)
        let agreed = try await client.agree(
            user, token: Secret("r1"), with: own.publicKey, context: nil)
        #expect(agreed.reveal() == (try KeyAgreement.sharedSecret(own, provider.unlock.publicKey)))
    }

    @Test(
        "No invalid response signs a person in",
        arguments: PlayedProvider.Fault.allCases)
    func faults(_ fault: PlayedProvider.Fault) async throws {
        let (client, provider) = try await parties()
        provider.fail(fault)
        do {
            _ = try await client.signIn(user, password: password)
            Issue.record("\(fault) was taken")
        } catch {
            switch (fault, error) {
            case (.nonceStatus, .later), (_, .notTrusted): break
            default: Issue.record("\(fault): \(error)")
            }
        }
        provider.fail(nil)
        _ = try await client.signIn(user, password: password)
    }

    @Test("401 is a wrong credential, everything else is for later")
    func statuses() async throws {
        let (client, provider) = try await parties()
        await #expect(throws: ProviderError.self) {
            try await client.signIn(user, password: Secret("wrong"))
        }
        for (status, isWrong) in [(401, true), (400, false), (403, false), (503, false)] {
            provider.answer(status)
            do {
                _ = try await client.signIn(user, password: password)
                Issue.record("\(status) was taken")
            } catch {
                if case .wrongCredential = error { #expect(isWrong) } else { #expect(!isWrong) }
            }
        }
    }

    @Test("A refresh token that was used is refused, and is a wrong credential")
    func reuse() async throws {
        let (client, _) = try await parties()
        let login = try await client.signIn(user, password: password)
        _ = try await client.refresh(user, token: login.response.refreshToken)
        await #expect(throws: ProviderError.wrongCredential("status 401")) {
            try await client.refresh(user, token: login.response.refreshToken)
        }
    }

    @Test("A provider that is away is unreachable, not wrong")
    func away() async throws {
        let (client, provider) = try await parties()
        provider.goAway()
        do {
            _ = try await client.signIn(user, password: password)
            Issue.record("nobody answered")
        } catch { #expect(error.isUnreachable) }
    }

    @Test("Nothing is ever sent to an address that is not https")
    func insecure() async throws {
        var configuration = PlayedProvider.configuration
        configuration.tokenEndpointURL = "http://idp.example.com/token"
        let (client, provider) = try await parties(configuration)
        await #expect(throws: ProviderError.self) {
            try await client.signIn(user, password: password)
        }
        #expect(provider.requests == [])
    }
}
