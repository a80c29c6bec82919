// SPDX-License-Identifier: Apache-2.0
package import Mail
package import Synchronization

/// Mails that arrive here can be waited for.
package final class Mailbox: MailTransport {
    struct Broken: Error {}
    /// The mailbox receives no further mail.
    struct Closed: Error {}

    private let incoming: AsyncStream<MailMessage>
    private let door: AsyncStream<MailMessage>.Continuation
    package let isBroken = Mutex(false)

    package init() { (incoming, door) = AsyncStream.makeStream() }

    package func send(_ message: MailMessage) async throws {
        if isBroken.withLock({ $0 }) { throw Broken() }
        door.yield(message)
    }

    /// The next mail, when it comes.
    package func next() async throws -> MailMessage {
        var iterator = incoming.makeAsyncIterator()
        guard let message = await iterator.next() else { throw Closed() }
        return message
    }

    /// The code in the next mail, where the code is all of its text.
    package func nextCode() async throws -> String { try await next().text }
}
