// SPDX-License-Identifier: Apache-2.0

/// Splits a command that does not fit one short APDU (ISO/IEC 7816-4 section 5.1.1.1).
package enum CommandChain {
    /// The bit of CLA that says "more follows".
    package static let moreFollows: UInt8 = 0x10

    /// Short APDUs of at most 255 bytes of data each; only the last expects a response.
    package static func split(_ command: CommandAPDU) -> [CommandAPDU] {
        var parts: [CommandAPDU] = []
        var rest = command.data[...]
        while rest.count > 255 {
            var part = command
            part.cla |= moreFollows
            part.data = Array(rest.prefix(255))
            part.expected = nil
            parts.append(part)
            rest = rest.dropFirst(255)
        }
        var last = command
        last.data = Array(rest)
        last.expected = command.expected.map { min($0, 256) }
        return parts + [last]
    }
}

/// Puts chained commands together, on the card's side.
package struct CommandChainAssembler: Sendable {
    /// What an APDU led to.
    package enum Outcome: Sendable, Equatable {
        /// More must come; the card answers 9000.
        case incomplete
        case command(CommandAPDU)
    }

    /// The chain became longer than any message, or its parts do not belong together.
    package struct Fault: Error, Sendable, Equatable {}

    private var parts: CommandAPDU?
    private let limit: Int

    /// - Parameter limit: How long a whole command may be, in bytes.
    package init(limit: Int = CTAPHIDMessage.greatestLength) { self.limit = limit }

    package mutating func receive(_ command: CommandAPDU) throws(Fault) -> Outcome {
        let isLast = command.cla & CommandChain.moreFollows == 0
        var whole = command
        whole.cla &= ~CommandChain.moreFollows
        if let parts {
            guard parts.cla == whole.cla, parts.ins == whole.ins else {
                self.parts = nil
                throw Fault()
            }
            whole.data = parts.data + whole.data
        }
        guard whole.data.count <= limit else {
            parts = nil
            throw Fault()
        }
        parts = isLast ? nil : whole
        return isLast ? .command(whole) : .incomplete
    }
}

/// Hands out a long response in portions, on the card's side: 61xx, then `GET RESPONSE`.
package struct ResponseChain: Sendable {
    private var rest: ArraySlice<UInt8> = []
    /// The status word of the whole response, until that was handed out.
    private var final: StatusWord?

    package init() {}

    /// The first portion of a response; the card keeps the rest.
    package mutating func begin(_ response: ResponseAPDU, expected: Int?) -> ResponseAPDU {
        rest = response.data[...]
        final = response.status
        return next(expected: expected)
    }

    /// The next portion, for `GET RESPONSE`; 6985 when there is none.
    package mutating func next(expected: Int?) -> ResponseAPDU {
        guard let status = final else { return ResponseAPDU(status: .conditionsNotSatisfied) }
        let portion = Array(rest.prefix(max(1, expected ?? 256)))
        rest = rest.dropFirst(portion.count)
        guard rest.isEmpty else {
            return ResponseAPDU(data: portion, status: .remaining(rest.count))
        }
        final = nil
        return ResponseAPDU(data: portion, status: status)
    }
}
