// SPDX-License-Identifier: Apache-2.0
package import SingleSignOn
import Threads

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

/// What an extension does with requests.
package protocol ExtensionPrincipal: Sendable {
    var description: ExtensionDescription { get }
    /// Begins a request and returns; the answer may come at any time after.
    func begin(_ request: OpenRequest) async
    /// Nobody waits for the answer any longer.
    func cancel(_ request: OpenRequest) async
}

/// The inside of an extension's process: speaks with the agent until there is no more to do.
package struct ExtensionRuntime: Sendable {
    /// Why it is over.
    package enum Ending: Sendable, Equatable {
        /// The agent said so.
        case stopped
        /// The agent is gone, or said what no agent says.
        case closed
        /// The agent speaks another version.
        case versionUnsupported(Int)
    }

    private let link: AgentConnectionEnd

    /// - Parameter descriptor: of the socket.
    package init(descriptor: Int32) { link = AgentConnectionEnd(descriptor: descriptor) }

    /// The socket that the agent opened for this process; `nil` when nobody did.
    package static var inheritedSocket: Int32? {
        guard let text = getenv(ExtensionSpawn.socketVariable),
            let number = Int32(String(cString: text)), number >= 3, fcntl(number, F_GETFD) >= 0
        else { return nil }
        return number
    }

    /// Serves the agent, request after request, each as soon as the one before has been begun.
    package func run(_ principal: some ExtensionPrincipal) async throws -> Ending {
        let (messages, inbox) = AsyncStream.makeStream(of: HostMessage.self)
        try BackgroundThread.start(niceness: 0, stackSize: 524_288) { [link] in
            link.read { inbox.yield($0) }
            inbox.finish()
        }
        var open: [UInt64: OpenRequest] = [:]
        for await message in messages {
            switch message {
            case .hello(let version, _):
                link.send(.ready(version: HostMessage.version, principal.description))
                guard version == HostMessage.version else { return .versionUnsupported(version) }
            case .request(let number, let content):
                open = open.filter { $0.value.isOpen }
                let request = OpenRequest(content, number: number, link: link)
                open[number] = request
                await principal.begin(request)
            case .cancel(let number):
                if let request = open.removeValue(forKey: number) {
                    await principal.cancel(request)
                }
            case .stop: return .stopped
            case .answer: break
            }
        }
        return .closed
    }
}
