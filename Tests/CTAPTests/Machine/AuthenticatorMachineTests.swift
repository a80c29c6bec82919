// SPDX-License-Identifier: Apache-2.0
import CTAP
import Primitives
import Testing

/// One command at a time, and the durable state.
@Suite struct AuthenticatorMachineTests {
    @Test("During a gesture, another message is refused; after the response it is processed")
    func oneCommand() throws {
        var key = try TestMachine()
        #expect(key.begin(.selection) == .gesture(.confirm(.select)))
        var other = key
        #expect(other.begin(.getInfo) == .status(.channelBusy))
        let version = try #require(U2FRequest.version.apdu.extended)
        guard case .response(let apdu) = other.machine.begin(.u2f(version), now: other.now) else {
            Issue.record("U2F requires no gesture here")
            return
        }
        #expect(apdu == [0x69, 0x85])
        #expect(key.approve() == .finished(.ok, []))
        #expect(key.begin(.selection) == .gesture(.confirm(.select)))
    }

    @Test("A refused command permits the next one")
    func afterRefusal() throws {
        var key = try TestMachine()
        #expect(key.begin(.selection) == .gesture(.confirm(.select)))
        #expect(key.finish(.confirmation(.denied)) == .status(.operationDenied))
        #expect(try key.run(.getInfo).isEmpty == false)
    }

    @Test("Requests that cannot be parsed have a status")
    func parsing() throws {
        var key = try TestMachine()
        #expect(key.begin([]) == .status(.invalidLength))
        #expect(key.begin([0x7E]) == .status(.invalidCommand))
        #expect(key.begin([0x01, 0xFF]) == .status(.invalidCBOR))
        #expect(key.begin([0x01, 0xA0]) == .status(.missingParameter))
        #expect(
            key.begin([UInt8](repeating: 1, count: 2049)) == .status(.requestTooLarge))
    }

    @Test("After a failed save every command fails, and the state is the last durable one")
    func failedSave() throws {
        var key = try TestMachine()
        let id = try key.create()
        let saves = key.store.saves.count
        key.store.fail()
        #expect(
            key.begin(.getAssertion(TestKey.assertion(allow: [id])))
                == .gesture(.confirm(.getAssertion(rpId: "example.com"))))
        #expect(key.approve() == .status(.other))
        #expect(key.store.saves.count == saves)
        #expect(key.machine.state.signCount == key.store.saves.last?.signCount)
        #expect(key.begin(.getInfo) == .status(.other))
    }

    @Test("A machine opens the state of its predecessor")
    func reopened() throws {
        var key = try TestMachine()
        let id = try key.create()
        let successor = try AuthenticatorMachine(
            store: key.store, configuration: AuthenticatorConfiguration(), random: key.random,
            now: key.now)
        #expect(successor.state.credentials.map(\.id) == [id])
    }

    @Test("A power cycle during a gesture discards the token, and the command continues")
    func powerCycle() throws {
        var key = try TestMachine()
        try key.setPIN("1234")
        let token = try key.token("1234", .credentialManagement)
        #expect(key.begin(.selection) == .gesture(.confirm(.select)))
        key.machine.powerCycle(now: key.now)
        #expect(key.approve() == .finished(.ok, []))
        var request = CredentialManagementRequest(.getCredsMetadata)
        request.pinUvAuthProtocol = 2
        request.pinUvAuthParam = token.authenticate(request.authenticatedBytes)
        #expect(key.begin(.credentialManagement(request)) == .status(.pinAuthInvalid))
    }

    @Test("An unused token expires after 30 seconds, a used one after ten minutes")
    func tokenLifetime() throws {
        var key = try TestMachine()
        try key.setPIN("1234")
        let token = try key.token("1234", .credentialManagement)
        var request = CredentialManagementRequest(.getCredsMetadata)
        request.pinUvAuthProtocol = 2
        request.pinUvAuthParam = token.authenticate(request.authenticatedBytes)
        var unused = key
        unused.now = key.now + .seconds(31)
        #expect(unused.begin(.credentialManagement(request)) == .status(.pinAuthInvalid))
        _ = try key.run(.credentialManagement(request))
        key.now = key.now + .minutes(10)
        _ = try key.run(.credentialManagement(request))
        key.now = key.now + .seconds(1)
        #expect(key.begin(.credentialManagement(request)) == .status(.pinAuthInvalid))
    }
}
