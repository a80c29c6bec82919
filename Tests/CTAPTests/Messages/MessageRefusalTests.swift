// SPDX-License-Identifier: Apache-2.0
import CBOR
import CTAP
import Testing

@Suite struct MessageRefusalTests {
    private func refusal(of frame: String) -> CTAPMessageError? {
        do {
            _ = try CTAPRequest(frame: hex(frame))
            return nil
        } catch { return error }
    }

    @Test("a frame without a byte is refused")
    func emptyFrame() { #expect(refusal(of: "") == .empty) }

    @Test("an unknown command byte is refused", arguments: [0x00, 0x03, 0x05, 0x0E, 0x42, 0xFF])
    func unknownCommand(byte: UInt8) {
        #expect(throws: CTAPMessageError.unknownCommand(byte)) { try CTAPRequest(frame: [byte]) }
    }

    @Test(
        "parameters after a command that has none are refused", arguments: ["04", "07", "08", "0b"])
    func unexpectedParameters(command: String) {
        #expect(refusal(of: command + "a0") == .unexpectedParameters)
    }

    @Test(
        "CBOR that is not canonical is refused",
        arguments: [
            ("06 a2 02 01 01 02", CBORError.Code.unsortedKeys),
            ("06 a2 01 02 01 02", .duplicateKey), ("06 a1 02 1801", .notShortest),
            ("06 bf 02 01 ff", .indefiniteLength), ("06 a1 02 c1 01", .tagNotAllowed),
            ("06 a1 02 01 00", .trailingBytes), ("06 a1 02", .truncated), ("06", .truncated),
            ("06 a1 02 81 81 81 81 81 81 00", .tooDeep), ("06 9bffffffffffffffff", .truncated),
        ])
    func notCanonical(frame: String, code: CBORError.Code) {
        #expect(refusal(of: frame) == .cbor(CBORError(code, at: 0)))
    }

    @Test(
        "a member that is missing is named",
        arguments: [
            ("01 a0", "makeCredential.clientDataHash"), ("02 a0", "getAssertion.rpId"),
            ("06 a0", "clientPIN.subCommand"), ("0a a0", "credentialManagement.subCommand"),
            ("0d a0", "config.subCommand"), ("0c a0", "largeBlobs.offset"),
            ("02 a1 01 61 61", "getAssertion.clientDataHash"),
        ])
    func missing(frame: String, member: String) {
        #expect(refusal(of: frame) == .missing(member))
    }

    @Test(
        "a member of the wrong type is named",
        arguments: [
            ("01 80", "makeCredential"), ("01 a1 01 01", "makeCredential.clientDataHash"),
            ("02 a1 01 40", "getAssertion.rpId"), ("06 a1 02 20", "subCommand"),
            ("06 a2 01 6131 02 01", "clientPIN.pinUvAuthProtocol"),
            ("0a a2 01 04 02 80", "credentialManagement.subCommandParams"),
        ])
    func unexpectedType(frame: String, member: String) throws {
        guard case .unexpectedType(let name) = try #require(refusal(of: frame)) else {
            Issue.record("refused for another reason")
            return
        }
        #expect(name.hasSuffix(member))
    }

    @Test(
        "a value outside its bounds is named",
        arguments: [
            ("01 a1 01 41 00", "makeCredential.clientDataHash"),
            ("06 a2 01 190100 02 01", "clientPIN.pinUvAuthProtocol"),
            ("0c a1 03 1bffffffffffffffff", "largeBlobs.offset"),
            ("0a a2 01 04 02 a1 01 41 00", "credentialManagement.subCommandParams.rpIDHash"),
        ])
    func outOfRange(frame: String, member: String) {
        #expect(refusal(of: frame) == .outOfRange(member))
    }

    @Test(
        "an unknown subcommand is refused with its number",
        arguments: [
            ("06 a1 02 08", 8), ("06 a1 02 1bffffffffffffffff", UInt64.max), ("0a a1 01 00", 0),
            ("0d a1 01 05", 5), ("09 a1 02 08", 8),
        ])
    func unknownSubcommand(frame: String, number: UInt64) {
        #expect(refusal(of: frame) == .unknownSubcommand(number))
    }

    @Test("a key-agreement key of another type, algorithm or curve is refused")
    func keyAgreement() throws {
        let point =
            "21 5820" + String(repeating: "11", count: 32)
            + "22 5820" + String(repeating: "22", count: 32)
        func key(_ text: String) throws -> KeyAgreementKey {
            try KeyAgreementKey(try CBORValue.decode(hex(text), profile: .ctap2))
        }
        #expect(throws: Never.self) { try key("a5 01 02 03 3818 20 01" + point) }
        #expect(throws: CTAPMessageError.outOfRange("keyAgreement")) {
            try key("a5 01 01 03 3818 20 01" + point)
        }
        #expect(throws: CTAPMessageError.outOfRange("keyAgreement")) {
            try key("a5 01 02 03 26 20 01" + point)
        }
        #expect(throws: CTAPMessageError.outOfRange("keyAgreement")) {
            try key("a5 01 02 03 3818 20 02" + point)
        }
        #expect(throws: CTAPMessageError.outOfRange("keyAgreement")) {
            try key("a6 01 02 03 3818 04 00 20 01" + point)
        }
        #expect(throws: CTAPMessageError.missing("keyAgreement")) { try key("a1 01 02") }
        #expect(throws: CTAPMessageError.unexpectedType("keyAgreement")) { try key("80") }
    }

    @Test("an algorithm beyond 64 bits neither traps nor names a real one")
    func hugeAlgorithm() throws {
        for number in ["1bffffffffffffffff", "3bffffffffffffffff"] {
            let value = try CBORValue.decode(
                hex("a2 63 616c67 \(number) 64 74797065 6a 7075626c69632d6b6579"),
                profile: .ctap2)
            #expect(try CTAPCredentialParameters(value).algorithm == .min)
        }
    }

    @Test("replies whose members break their bounds are refused")
    func replies() {
        #expect(throws: CTAPMessageError.missing("getInfo.versions")) {
            try AuthenticatorInfo(cbor: hex("a0"))
        }
        #expect(throws: CTAPMessageError.outOfRange("getInfo.aaguid")) {
            try AuthenticatorInfo(cbor: hex("a2 01 80 03 41 00"))
        }
        #expect(throws: CTAPMessageError.outOfRange("clientPINResponse.pinRetries")) {
            try ClientPINResponse(cbor: hex("a1 03 190100"))
        }
        #expect(throws: CTAPMessageError.outOfRange("makeCredentialResponse.largeBlobKey")) {
            try MakeCredentialResponse(cbor: hex("a3 01 60 02 40 05 41 00"))
        }
        #expect(throws: CTAPMessageError.missing("getAssertionResponse.signature")) {
            try GetAssertionResponse(cbor: hex("a1 02 40"))
        }
    }

    @Test("no prefix and no single changed byte of a request makes the reader trap")
    func mutations() throws {
        for frame in try MessageRoundTripTests.requests().map({ $0.frame() }) {
            for length in 0..<frame.count {
                _ = try? CTAPRequest(frame: Array(frame.prefix(length)))
            }
            for index in frame.indices {
                for flip: UInt8 in [0x01, 0x20, 0x80, 0xFF] {
                    var changed = frame
                    changed[index] ^= flip
                    if let read = try? CTAPRequest(frame: changed) { _ = read.frame() }
                }
            }
        }
    }
}
