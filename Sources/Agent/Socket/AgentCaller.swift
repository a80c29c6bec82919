// SPDX-License-Identifier: Apache-2.0
import NIOCore

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

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
    var mayDoAnything: Bool { user == 0 || user == geteuid() }
}

extension AgentCaller {
    /// `struct ucred` of Linux.
    private struct Credentials: Sendable {
        var process: Int32 = 0
        var user: UInt32 = 0
        var group: UInt32 = 0
    }

    /// From Linux 6.5; not in all headers.
    private static let processDescriptor: CInt = 77

    #if os(Linux)
        /// - Throws: When the kernel does not say who it is, or the account does not exist.
        static func of(_ channel: any Channel) async throws -> AgentCaller {
            guard let socket = channel as? any SocketOptionProvider else {
                throw AgentFrame.Malformed()
            }
            let found: Credentials = try await socket.unsafeGetSocketOption(
                level: .socket, name: .init(rawValue: SO_PEERCRED)
            ).get()
            let descriptor: CInt? = try? await socket.unsafeGetSocketOption(
                level: .socket, name: .init(rawValue: processDescriptor)
            ).get()
            defer { if let descriptor { close(descriptor) } }
            guard let account = name(of: found.user) else { throw AgentFrame.Malformed() }
            let program = program(of: found.process)
            // A process identifier that was assigned again in between is of another program.
            let isSame = descriptor.map(isAlive) ?? false
            return AgentCaller(
                user: found.user, account: account, program: isSame ? program : nil)
        }
    #else
        static func of(_ channel: any Channel) async throws -> AgentCaller {
            throw AgentFrame.Malformed()
        }
    #endif

    /// The account of a user id.
    package static func name(of user: UInt32) -> String? {
        var entry = passwd()
        var result: UnsafeMutablePointer<passwd>?
        var buffer = [CChar](repeating: 0, count: 16_384)
        guard getpwuid_r(user, &entry, &buffer, buffer.count, &result) == 0, result != nil,
            let name = entry.pw_name
        else { return nil }
        return String(cString: name)
    }

    private static func program(of process: Int32) -> String? {
        var buffer = [CChar](repeating: 0, count: 4096)
        let count = readlink("/proc/\(process)/exe", &buffer, buffer.count)
        guard count > 0 else { return nil }
        return String(decoding: buffer.prefix(count).map(UInt8.init(bitPattern:)), as: UTF8.self)
    }

    /// A process descriptor can be read when its process has ended.
    private static func isAlive(_ descriptor: CInt) -> Bool {
        var entry = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
        return poll(&entry, 1, 0) == 0
    }
}
