// SPDX-License-Identifier: Apache-2.0
package import Platform
package import SingleSignOn

/// The code of an extension that serves requests.
package protocol ExtensionPrincipal: Sendable {
    var description: ExtensionDescription { get }
    /// Starts a request and returns; the response may follow at any time.
    func begin(_ request: OpenRequest) async
    /// The caller has cancelled the request.
    func cancel(_ request: OpenRequest) async
}

/// The main loop of an extension's process: it handles the agent's messages until the end.
package struct ExtensionRuntime: Sendable {
    /// The reason of the end.
    package enum Ending: Sendable, Equatable {
        /// The agent sent `stop`.
        case stopped
        /// The agent disconnected or sent an invalid message.
        case closed
        /// The agent uses another version.
        case versionUnsupported(Int)
    }

    private let link: AgentConnectionEnd

    /// - Parameter descriptor: of the socket.
    package init(descriptor: Descriptor) { link = AgentConnectionEnd(descriptor: descriptor) }

    /// The socket that the agent opened for this process; `nil` if it was not started by an agent.
    package static var inheritedSocket: Descriptor? {
        guard let number = ProcessEnvironment[ExtensionSpawn.socketVariable].flatMap({ Int32($0) }),
            number >= 3, Descriptor(rawValue: number).isOpen
        else { return nil }
        return Descriptor(rawValue: number)
    }

    /// Handles the agent's requests, each as soon as the previous one has started.
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
