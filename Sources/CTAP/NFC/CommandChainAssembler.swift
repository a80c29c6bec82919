// SPDX-License-Identifier: Apache-2.0

/// Puts chained commands together, on the card's side.
package struct CommandChainAssembler: Sendable {
    /// The result of an APDU.
    package enum Outcome: Sendable, Equatable {
        /// The chain is incomplete; the card responds 9000.
        case incomplete
        case command(CommandAPDU)
    }

    /// The chain became longer than any message, or its parts do not belong together.
    package struct AssemblyError: Error, Sendable, Equatable {}

    private var parts: CommandAPDU?
    private let limit: Int

    /// - Parameter limit: How long a whole command may be, in bytes.
    package init(limit: Int = CTAPHIDMessage.greatestLength) { self.limit = limit }

    package mutating func receive(_ command: CommandAPDU) throws(AssemblyError) -> Outcome {
        let isLast = command.cla & CommandChain.moreFollows == 0
        var whole = command
        whole.cla &= ~CommandChain.moreFollows
        if let parts {
            guard parts.cla == whole.cla, parts.ins == whole.ins else {
                self.parts = nil
                throw AssemblyError()
            }
            whole.data = parts.data + whole.data
        }
        guard whole.data.count <= limit else {
            parts = nil
            throw AssemblyError()
        }
        parts = isLast ? nil : whole
        return isLast ? .command(whole) : .incomplete
    }
}
