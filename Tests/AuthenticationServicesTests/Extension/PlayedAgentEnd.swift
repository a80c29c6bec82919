// SPDX-License-Identifier: Apache-2.0
import AuthenticationServices
import Foundation
import Platform
import Primitives
import SSOExtensions
import SingleSignOn
import Support
import Synchronization

/// A fake agent at the other end of an extension's socket: it sends requests one after another,
/// responds to calls by a rule, and records everything.
final class PlayedAgentEnd: Sendable {
    typealias Rule =
        @Sendable (ExtensionCall) -> Result<ExtensionCallResponse, ExtensionCallRefusal>

    private let socket: Int32
    private let rule: Rule
    private let seen = Mutex<[ExtensionCall]>([])
    private let answers: AsyncStream<(UInt64, ExtensionResponse)>
    private let inbox: AsyncStream<(UInt64, ExtensionResponse)>.Continuation
    private let described = Mutex<ExtensionDescription?>(nil)
    let running: Task<ExtensionRuntime.Ending, any Error>

    /// Starts an extension with that principal.
    @MainActor init(
        _ principal: any NSObjectProtocol, rule: @escaping Rule = { _ in .success(.done) }
    ) {
        var ends: [Int32] = [-1, -1]
        socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0, &ends)
        socket = ends[0]
        self.rule = rule
        (answers, inbox) = AsyncStream.makeStream()
        let handler = HandlerPrincipal(principal)
        let other = ends[1]
        running = Task {
            try await ExtensionRuntime(descriptor: Descriptor(rawValue: other)).run(handler)
        }
        let thread = Thread { [self] in read() }
        thread.start()
        send(.hello(version: 1, identifier: "com.example.sso"))
    }

    var calls: [ExtensionCall] { seen.withLock { $0 } }

    var description: ExtensionDescription {
        get async throws { try await eventually("it is ready") { described.withLock { $0 } } }
    }

    func send(_ message: HostMessage) {
        guard let frame = try? ExtensionFrame.bytes(of: message) else { return }
        _ = write(socket, frame, frame.count)
    }

    /// Asks, and waits for the first answer.
    func ask(_ request: ExtensionHostRequest, number: UInt64 = 1) async -> ExtensionResponse? {
        send(.request(number, request))
        for await (answered, answer) in answers where answered == number { return answer }
        return nil
    }

    /// Ends the extension; what it had answered besides.
    func stop() async throws -> [ExtensionResponse] {
        send(.stop)
        _ = try await running.value
        shutdown(socket, Int32(SHUT_RDWR))
        var rest: [ExtensionResponse] = []
        for await (_, answer) in answers { rest.append(answer) }
        return rest
    }

    private func read() {
        var frames = ExtensionFrameReader()
        var buffer = [UInt8](repeating: 0, count: 65_536)
        while true {
            let count = Glibc.read(socket, &buffer, buffer.count)
            guard count > 0, let contents = try? frames.read(buffer[..<count]) else { break }
            for content in contents {
                if let message = try? ExtensionFrame.message(ExtensionMessage.self, in: content) {
                    take(message)
                }
            }
        }
        inbox.finish()
    }

    private func take(_ message: ExtensionMessage) {
        switch message {
        case .ready(_, let description): described.withLock { $0 = description }
        case .answer(let number, let answer): inbox.yield((number, answer))
        case .call(let number, _, let call):
            seen.withLock { $0.append(call) }
            send(.answer(call: number, rule(call)))
        }
    }
}

/// An extension whose methods are closures.
final class PlayedExtension: NSObject, ASAuthorizationProviderExtensionRegistrationHandler,
    ASAuthorizationProviderExtensionAuthorizationRequestHandler
{
    typealias Manager = ASAuthorizationProviderExtensionLoginManager
    typealias Completion = @Sendable (ASAuthorizationProviderExtensionRegistrationResult) -> Void
    typealias Request = ASAuthorizationProviderExtensionAuthorizationRequest

    var device:
        (Manager, ASAuthorizationProviderExtensionRequestOptions, @escaping Completion) -> Void =
            { $2(.success) }
    var user: (Manager, String?, @escaping Completion) -> Void = { $2(.success) }
    var authorize: (Request) -> Void = { $0.complete() }
    var canceled: (Request) -> Void = { _ in }

    func beginDeviceRegistration(
        loginManager: ASAuthorizationProviderExtensionLoginManager,
        options: ASAuthorizationProviderExtensionRequestOptions,
        completion:
            @escaping @Sendable (ASAuthorizationProviderExtensionRegistrationResult) -> Void
    ) { device(loginManager, options, completion) }

    func beginUserRegistration(
        loginManager: ASAuthorizationProviderExtensionLoginManager, userName: String?,
        method: ASAuthorizationProviderExtensionAuthenticationMethod,
        options: ASAuthorizationProviderExtensionRequestOptions,
        completion:
            @escaping @Sendable (ASAuthorizationProviderExtensionRegistrationResult) -> Void
    ) { user(loginManager, userName, completion) }

    func beginAuthorization(with request: ASAuthorizationProviderExtensionAuthorizationRequest) {
        authorize(request)
    }

    func cancelAuthorization(with request: ASAuthorizationProviderExtensionAuthorizationRequest) {
        canceled(request)
    }
}
