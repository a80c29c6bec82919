// SPDX-License-Identifier: Apache-2.0
package import NIOCore
import Platform

/// Who is at the other end of the socket, by what the kernel says (`SO_PEERCRED`); nothing that the
/// program says of itself counts. The same for either end: who asks, and who listens.
package struct AgentCaller: Sendable, Equatable {
    package let user: UInt32
    package let account: String
    /// The program that runs there; `nil` when it cannot be known, as after it has ended.
    package let program: String?

    package init(user: UInt32, account: String, program: String?) {
        self.user = user
        self.account = account
        self.program = program
    }

    /// Whether the caller is root or the user of this process.
    package var mayDoAnything: Bool { user == 0 || user == SystemAccount.effectiveUser }
}

extension AgentCaller {
    /// - Throws: When the kernel does not say who it is, or the account does not exist.
    package static func of(_ channel: any Channel) async throws -> AgentCaller {
        guard let socket = channel as? any SocketOptionProvider,
            let option = PeerCredentials.option
        else { throw AgentFrame.ParseError() }
        let found: PeerCredentials = try await socket.unsafeGetSocketOption(
            level: .socket, name: .init(rawValue: option)
        ).get()
        let number: CInt? = try? await socket.unsafeGetSocketOption(
            level: .socket, name: .init(rawValue: PeerCredentials.processDescriptorOption)
        ).get()
        let descriptor = number.map(Descriptor.init(rawValue:))
        defer { descriptor?.close() }
        guard let account = name(of: found.user) else { throw AgentFrame.ParseError() }
        let program = PeerCredentials.program(of: found.process)
        // A process identifier that was assigned again in between is of another program.
        let isSame = descriptor.map(PeerCredentials.isRunning) ?? false
        return AgentCaller(
            user: found.user, account: account, program: isSame ? program : nil)
    }

    /// The account of a user id.
    package static func name(of user: UInt32) -> String? { SystemAccount(id: user)?.name }
}
