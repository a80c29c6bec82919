// SPDX-License-Identifier: Apache-2.0
import CTAP
import Testing

@Suite struct U2FMessageTests {
    private let challenge = [UInt8](repeating: 1, count: 32)
    private let application = [UInt8](repeating: 2, count: 32)

    @Test("every command reads back as what was written")
    func requests() throws {
        let requests: [U2FRequest] = [
            .register(challenge: challenge, application: application), .version,
            .authenticate(
                .checkOnly, challenge: challenge, application: application, keyHandle: [3]),
            .authenticate(
                .enforcePresenceAndSign, challenge: challenge, application: application,
                keyHandle: [UInt8](repeating: 4, count: 255)),
        ]
        for request in requests {
            let bytes = try #require(request.apdu.extended)
            #expect(try U2FRequest(try #require(CommandAPDU(bytes))) == request)
        }
    }

    @Test(
        "a command that is not one is refused with its status word",
        arguments: [
            (CommandAPDU(cla: 0x80, ins: 1), StatusWord.classNotSupported),
            (CommandAPDU(cla: 0, ins: 4), .instructionNotSupported),
            (CommandAPDU(cla: 0, ins: 1, data: [UInt8](repeating: 0, count: 63)), .wrongLength),
            (
                CommandAPDU(cla: 0, ins: 2, p1: 7, data: [UInt8](repeating: 0, count: 64)),
                .wrongLength
            ),
            (
                CommandAPDU(cla: 0, ins: 2, p1: 7, data: [UInt8](repeating: 1, count: 65)),
                .wrongLength
            ),
            (CommandAPDU(cla: 0, ins: 2, p1: 0), .incorrectParameters),
            (CommandAPDU(cla: 0, ins: 3, data: [1]), .wrongLength),
        ])
    func refusals(command: CommandAPDU, status: StatusWord) {
        #expect(throws: U2FRefusal(status)) { try U2FRequest(command) }
    }

    private var registration: U2FRegistration {
        U2FRegistration(
            publicKey: [4] + [UInt8](repeating: 5, count: 64), keyHandle: [6, 7],
            certificate: [0x30, 0x82, 0x01, 0x00] + [UInt8](repeating: 8, count: 256),
            signature: [0x30, 0x02, 9, 9])
    }

    @Test("a registration reads back as what was written")
    func registrationRoundTrip() {
        #expect(U2FRegistration(registration.bytes) == registration)
        let assertion = U2FAssertion(userPresence: 1, counter: 0x01020304, signature: [9])
        #expect(U2FAssertion(assertion.bytes) == assertion)
    }

    @Test("a registration that is cut short or does not add up is none")
    func malformedRegistration() {
        let bytes = registration.bytes
        let certificateEnd = bytes.count - 4
        for length in 0...certificateEnd {
            #expect(U2FRegistration(Array(bytes.prefix(length))) == nil)
        }
        var changed = bytes
        changed[0] = 4
        #expect(U2FRegistration(changed) == nil)
        changed = bytes
        changed[1] = 2
        #expect(U2FRegistration(changed) == nil)
        changed = bytes
        changed[66] = 0
        #expect(U2FRegistration(changed) == nil)
        #expect(U2FRegistration(bytes + [UInt8](repeating: 0, count: 100)) == nil)
    }

    @Test("an assertion that is too short or too long is none")
    func malformedAssertion() {
        #expect(U2FAssertion([]) == nil)
        #expect(U2FAssertion([1, 0, 0, 0, 1]) == nil)
        #expect(U2FAssertion([UInt8](repeating: 1, count: 86)) == nil)
    }

    @Test("Attack 18: a public key that is no point on P-256 makes no credential")
    func offCurve() {
        #expect(U2FMapping.response(registration, application: application) == nil)
    }
}
