// SPDX-License-Identifier: Apache-2.0
import AppRegistration
import Primitives
import ProviderCore
import Support
import Testing

@Suite("Nonces of the provider") struct StatelessNonceTests {
    private let house: PeopleHouse

    init() async throws { house = try await PeopleHouse() }

    static let purposes: [StatelessNonce.Purpose] = [
        .registration(.signedJWT), .signIn, .pin, .authenticator, .proof, .device,
    ]

    private func nonces(
        _ purpose: StatelessNonce.Purpose, of tenant: Tenant? = nil, after delay: TimeSpan? = nil
    ) -> StatelessNonce {
        StatelessNonce(
            for: purpose, of: tenant ?? house.tenant, in: house.provider,
            now: house.clock.now + (delay ?? .seconds(0)))
    }

    @Test("A nonce is valid for its purpose alone, in its project")
    func purpose() async throws {
        let neighbour = try await house.neighbour()
        for (index, purpose) in Self.purposes.enumerated() {
            let nonce = nonces(purpose).make()
            #expect(nonce.utf8.count == (index == 5 ? 54 : 43))
            for (other, wanted) in Self.purposes.enumerated() {
                #expect((nonces(wanted).check(nonce) != nil) == (other == index))
            }
            #expect(nonces(purpose, of: neighbour).check(nonce) == nil)
        }
    }

    @Test("A nonce is valid for five minutes", arguments: [0, 5])
    func lifetime(index: Int) {
        let purpose = Self.purposes[index]
        let nonce = nonces(purpose).make()
        #expect(nonces(purpose, after: .seconds(StatelessNonce.lifetime - 1)).check(nonce) != nil)
        #expect(nonces(purpose, after: .seconds(StatelessNonce.lifetime)).check(nonce) == nil)
    }

    @Test("A changed nonce is refused", arguments: [0, 5])
    func changed(index: Int) throws {
        let purpose = Self.purposes[index]
        let bytes = try #require(Base64URL.decode(nonces(purpose).make()))
        for position in bytes.indices {
            var changed = bytes
            changed[position] ^= 1
            #expect(nonces(purpose).check(Base64URL.encode(changed)) == nil)
        }
        #expect(nonces(purpose).check(Base64URL.encode(bytes.dropLast())) == nil)
        #expect(nonces(purpose).check(Base64URL.encode(bytes + [0])) == nil)
    }

    @Test("The nonce of a device is refused if it is from more than a minute ahead")
    func ahead() {
        let nonce = nonces(.device, after: .seconds(61)).make()
        #expect(nonces(.device).check(nonce) == nil)
        #expect(nonces(.device, after: .seconds(1)).check(nonce) != nil)
    }

    @Test("A nonce is consumed once", arguments: [1, 5])
    func once(index: Int) async throws {
        let nonces = nonces(Self.purposes[index])
        let nonce = nonces.make()
        #expect(try await nonces.consume(nonce))
        #expect(try await !nonces.consume(nonce))
        #expect(try await !nonces.consume("invented"))
    }
}
