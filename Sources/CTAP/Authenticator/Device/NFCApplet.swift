// SPDX-License-Identifier: Apache-2.0

/// The FIDO applet of a smart card (CTAP 2.2 section 11.3): the card's side. It decides the action
/// for each command APDU; its owner sends messages to the key and transports bytes.
///
/// Each input has a response. The applet stores at most one message.
package struct NFCApplet: Sendable {
    /// The action for a command APDU.
    package enum Action: Sendable, Equatable {
        case respond(ResponseAPDU)
        /// Send the message to the key, and its reply to ``answered(_:to:)``.
        ///
        /// - Parameter mayWait: Whether the reader supports ``working(_:)`` until the reply is
        ///   available.
        case ask(AuthenticatorMessage, mayWait: Bool)
        /// The reader polls for the reply that the key still computes, or cancels it.
        case poll(cancels: Bool)
    }

    /// Instructions (sections 11.3.5 to 11.3.7).
    private enum Instruction {
        static let select: UInt8 = 0xA4
        static let getResponse: UInt8 = 0xC0
        static let message: UInt8 = 0x10
        static let comeBack: UInt8 = 0x11
        static let control: UInt8 = 0x12
    }

    private let speaksU2F: Bool
    private var commands = CommandChainAssembler()
    private var responses = ResponseChain()
    private var isSelected = false
    private var isWorking = false
    private var expected: Int?

    package init(speaksU2F: Bool) { self.speaksU2F = speaksU2F }

    /// Resets the applet after a loss of power or a reset of the card.
    package mutating func reset() { self = NFCApplet(speaksU2F: speaksU2F) }

    package mutating func receive(_ bytes: [UInt8]) -> Action {
        guard let part = CommandAPDU(bytes) else { return refuse(.wrongLength) }
        if part.cla == 0, part.ins == Instruction.getResponse {
            return .respond(responses.next(expected: part.expected))
        }
        // The next command discards a response that was not fetched (ISO/IEC 7816-4 section 5.1.3).
        responses = ResponseChain()
        guard let outcome = try? commands.receive(part) else { return refuse(.wrongData) }
        guard case .command(let command) = outcome else { return refuse(.ok) }
        if command.cla == 0, command.ins == Instruction.select { return select(command) }
        guard isSelected else { return refuse(.conditionsNotSatisfied) }
        expected = command.expected
        return command.cla == 0x80 ? perform(command) : performU2F(command)
    }

    private func refuse(_ status: StatusWord) -> Action { .respond(ResponseAPDU(status: status)) }

    private mutating func select(_ command: CommandAPDU) -> Action {
        isSelected = command.p1 == 0x04 && command.data == NFCConnection.applicationId
        isWorking = false
        guard isSelected else { return refuse(.fileNotFound) }
        let version = speaksU2F ? "U2F_V2" : "FIDO_2_0"
        return .respond(ResponseAPDU(data: Array(version.utf8), status: .ok))
    }

    private mutating func perform(_ command: CommandAPDU) -> Action {
        switch command.ins {
        case Instruction.message:
            isWorking = false
            return .ask(.ctap2(command.data), mayWait: command.p1 & 0x80 != 0)
        case Instruction.comeBack:
            guard isWorking else { return refuse(.conditionsNotSatisfied) }
            return .poll(cancels: command.p1 == 0x11)
        case Instruction.control:
            // "End" (P1 1): the reader has finished with the applet.
            guard command.p1 == 0x01 else { return refuse(.incorrectParameters) }
            isSelected = false
            return refuse(.ok)
        default: return refuse(.instructionNotSupported)
        }
    }

    private mutating func performU2F(_ command: CommandAPDU) -> Action {
        guard command.cla == 0 else { return refuse(.classNotSupported) }
        guard speaksU2F, let message = command.extended else {
            return refuse(.instructionNotSupported)
        }
        isWorking = false
        return .ask(.u2f(message), mayWait: false)
    }

    /// Returns the response to the reader while the key processes a message.
    package mutating func working(_ status: CTAPHIDKeepalive) -> ResponseAPDU {
        isWorking = true
        return ResponseAPDU(data: [status.rawValue], status: .keepalive)
    }

    /// The first portion of the key's reply: for CTAP2 as it is, for U2F with its status word.
    package mutating func answered(
        _ reply: [UInt8], to message: AuthenticatorMessage
    ) -> ResponseAPDU {
        isWorking = false
        let response: ResponseAPDU =
            switch message {
            case .ctap2: ResponseAPDU(data: reply, status: .ok)
            case .u2f: ResponseAPDU(reply) ?? ResponseAPDU(status: .unknown)
            }
        return responses.begin(response, expected: expected)
    }
}
