// SPDX-License-Identifier: Apache-2.0

/// A command of U2F (U2F raw message formats v1.2 sections 4 to 6).
package enum U2FRequest: Sendable, Equatable {
    /// The control byte: the required presence.
    package enum Control: UInt8, Sendable {
        /// Sign nothing; respond whether the key handle belongs to this key.
        case checkOnly = 0x07
        case enforcePresenceAndSign = 0x03
        case signWithoutPresence = 0x08
    }

    /// Challenge parameter and application parameter, 32 bytes each.
    case register(challenge: [UInt8], application: [UInt8])
    case authenticate(
        Control, challenge: [UInt8], application: [UInt8], keyHandle: [UInt8])
    case version

    /// The application parameter and the challenge parameter are hashes.
    static let hashLength = 32

    package var apdu: CommandAPDU {
        switch self {
        case .register(let challenge, let application):
            // P1 03, as libfido2 and browsers send it; the specification requires authenticators to
            // ignore it.
            CommandAPDU(
                cla: 0, ins: 0x01, p1: 0x03, data: challenge + application, expected: 65536)
        case .authenticate(let control, let challenge, let application, let keyHandle):
            CommandAPDU(
                cla: 0, ins: 0x02, p1: control.rawValue,
                data: challenge + application + [UInt8(clamping: keyHandle.count)] + keyHandle,
                expected: 65536)
        case .version: CommandAPDU(cla: 0, ins: 0x03, expected: 65536)
        }
    }

    /// Decodes a command.
    ///
    /// - Throws: The status word of the refusal.
    package init(_ apdu: CommandAPDU) throws(U2FRefusal) {
        guard apdu.cla == 0 else { throw U2FRefusal(.classNotSupported) }
        let data = apdu.data[...]
        switch apdu.ins {
        case 0x01:
            guard data.count == 2 * Self.hashLength else { throw U2FRefusal(.wrongLength) }
            self = .register(
                challenge: Array(data.prefix(32)), application: Array(data.dropFirst(32)))
        case 0x02:
            guard let control = Control(rawValue: apdu.p1) else {
                throw U2FRefusal(.incorrectParameters)
            }
            guard data.count > 2 * Self.hashLength,
                data.count == 2 * Self.hashLength + 1 + Int(data[2 * Self.hashLength])
            else { throw U2FRefusal(.wrongLength) }
            self = .authenticate(
                control, challenge: Array(data.prefix(32)),
                application: Array(data.dropFirst(32).prefix(32)),
                keyHandle: Array(data.dropFirst(65)))
        case 0x03:
            guard data.isEmpty else { throw U2FRefusal(.wrongLength) }
            self = .version
        default: throw U2FRefusal(.instructionNotSupported)
        }
    }
}
