// SPDX-License-Identifier: Apache-2.0
import JOSE
import PlatformSSO
import Primitives
import ProviderCore
import Storage
import Testing

/// A nonce is valid for one request, also if it is consumed in the commit of the change.
@Suite struct DeviceNonceTests {
    /// What came of one message that was sent eight times at once.
    private func statuses(
        of message: [UInt8], to path: String, version: String, in house: DeviceHouse
    ) async throws -> [Int] {
        try await withThrowingTaskGroup(of: Int.self) { group in
            for _ in 0..<8 {
                group.addTask {
                    try await house.post(message, to: path, version: version).status
                }
            }
            return try await group.reduce(into: []) { $0.append($1) }.sorted()
        }
    }

    private static let onlyOne = [200] + Array(repeating: 400, count: 7)

    @Test("of many logins with one nonce and a person's key one lets in")
    func logins() async throws {
        let house = try await DeviceHouse()
        let machine = try await TestMachine.registered(in: house)
        let key = try TestMachine.pair()
        #expect(try await machine.registerKey(key, token: machine.signedIn()).status == 201)
        let context = try await machine.context()
        let assertion = try context.assertion(key: key.publicKey)
            .signed(by: JOSESigner(key, algorithm: .es256))
        let message = try machine.signed(
            context.login(.signedAssertion(assertion), random: house.random))
        let found = try await statuses(
            of: message, to: "/platform-sso/token", version: "1.0", in: house)
        #expect(found == Self.onlyOne)
    }

    @Test("of many key exchanges with one nonce one is answered, and those with their own all are")
    func exchanges() async throws {
        let house = try await DeviceHouse()
        let machine = try await TestMachine.registered(in: house)
        let token = try await machine.signedIn()
        let (answer, asked) = try await machine.key(.provision, token)
        let made = try machine.keyResponse(answer, asked)
        let exchange = VerifiedKeyRequest.Operation.exchange(
            otherPublicKey: try TestMachine.pair().publicKey, context: made.keyContext)
        let context = try await machine.context()
        let message = try machine.signed(context.key(exchange, refreshToken: token))
        let found = try await statuses(
            of: message, to: "/platform-sso/key", version: "2.0", in: house)
        #expect(found == Self.onlyOne)
        let parallel = try await withThrowingTaskGroup(of: Int.self) { group in
            for _ in 0..<8 {
                group.addTask { try await machine.key(exchange, token).0.status }
            }
            return try await group.reduce(into: []) { $0.append($1) }
        }
        #expect(parallel == Array(repeating: 200, count: 8))
    }

    @Test("a nonce of an exchange is of no use for anything else")
    func exchangeThenLogin() async throws {
        let house = try await DeviceHouse()
        let machine = try await TestMachine.registered(in: house)
        let token = try await machine.signedIn()
        let (answer, asked) = try await machine.key(.provision, token)
        let made = try machine.keyResponse(answer, asked)
        let exchange = VerifiedKeyRequest.Operation.exchange(
            otherPublicKey: try TestMachine.pair().publicKey, context: made.keyContext)
        let nonce = try await house.nonce()
        let message = try machine.signed(
            try await machine.context(nonce: nonce).key(exchange, refreshToken: token))
        func send() async throws -> DeviceHouse.Answer {
            try await house.post(message, to: "/platform-sso/key", version: "2.0")
        }
        #expect(try await send().status == 200)
        #expect(try await machine.login(nonce: nonce).error == "server_nonce_refused")
        #expect(try await send().error == "server_nonce_refused")
        // The other way round too.
        let used = try await house.nonce()
        #expect(try await machine.login(nonce: used).status == 200)
        let late = try machine.signed(
            try await machine.context(nonce: used).key(exchange, refreshToken: token))
        #expect(
            try await house.post(late, to: "/platform-sso/key", version: "2.0").error
                == "server_nonce_refused")
        // Each exchange that was answered has its event.
        var filter = AuditFilter()
        filter.action = "device.key"
        filter.outcome = .accepted
        let events = try await house.provider.store.auditLog.auditEvents(
            filter, before: nil, limit: 9)
        #expect(events.count == 2)
    }
}
