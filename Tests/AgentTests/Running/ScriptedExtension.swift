import Agent
// SPDX-License-Identifier: Apache-2.0
import AgentClient
import PlatformSSO
import Primitives
import SingleSignOn
import Support
import Synchronization
import UserClient

/// An extension that does as it is told, and remembers how it was called.
final class ScriptedExtension: RegistrationExtension, ExtensionSource {
    enum Call: Sendable, Equatable {
        case device(ExtensionRequestOptions)
        case user(String?, ExtensionRequestOptions)
        case rotate(AgentKeyRole)
        case complete, cancel, removed
        /// With the user name of the person who leaves; `nil` for the device.
        case leaving(String?)
        case names([String])
        case picture
    }

    private struct State {
        var calls: [Call] = []
        var deviceResults: [ExtensionRegistrationResult] = []
        var userResults: [ExtensionRegistrationResult] = []
        var rotations: [Bool] = []
        var leaving: Result<Bool, ProviderError> = .success(true)
        var whileLeaving: (@Sendable () async -> Void)?
        var portrait: Portrait?
        var abilities: ExtensionDescription? = .unlimited
        var user = UserLoginConfiguration(loginUserName: "anna@example.com")
        var steps: [@Sendable (any ExtensionLoginManager) async throws -> Void] = []
    }

    /// What it says of people; `nil` for a failure.
    struct Portrait: Sendable {
        var names: [String: String]? = [:]
        var picture: [UInt8]? = []
    }

    private let state = Mutex(State())
    private let configuration: LoginConfiguration
    private let hasKeyService: Bool

    init(
        configuration: LoginConfiguration = ScriptedExtension.configuration,
        hasKeyService: Bool = false
    ) {
        self.configuration = configuration
        self.hasKeyService = hasKeyService
    }

    var calls: [Call] { state.withLock { $0.calls } }

    /// Of people; what it is told besides comes when it comes.
    var registrations: [Call] {
        calls.filter { if case .user = $0 { true } else { false } }
    }

    /// The next answers; `success` once there are none left.
    func answer(
        device: [ExtensionRegistrationResult] = [], user: [ExtensionRegistrationResult] = []
    ) {
        state.withLock { ($0.deviceResults, $0.userResults) = (device, user) }
    }

    /// Sets the result of notifications that a device or person leaves.
    func leave(_ result: Result<Bool, ProviderError>) { state.withLock { $0.leaving = result } }

    /// Happens once, while the provider is told.
    func whileLeaving(_ interlude: @escaping @Sendable () async -> Void) {
        state.withLock { $0.whileLeaving = interlude }
    }

    /// The next answers to rotations; `true` once there are none left.
    func answer(rotations: [Bool]) { state.withLock { $0.rotations = rotations } }

    /// What it says of people from now on.
    func say(_ portrait: Portrait) { state.withLock { $0.portrait = portrait } }

    /// What it says that it can do; `nil` when it does not answer.
    func describe(_ abilities: ExtensionDescription?) {
        state.withLock { $0.abilities = abilities }
    }

    private struct Silent: Error, CustomStringConvertible {
        let description = "it does not answer"
    }

    func describe() async throws -> ExtensionDescription {
        guard let abilities = state.withLock({ $0.abilities }) else { throw Silent() }
        return abilities
    }

    /// What it saves of people.
    func save(_ user: UserLoginConfiguration) { state.withLock { $0.user = user } }

    /// What it does in its next call, before it answers.
    func next(_ step: @escaping @Sendable (any ExtensionLoginManager) async throws -> Void) {
        state.withLock { $0.steps.append(step) }
    }

    static let configuration = LoginConfiguration(
        clientID: "platform-sso", issuer: "https://idp.example.com",
        tokenEndpointURL: "https://idp.example.com/token",
        jwksEndpointURL: "https://idp.example.com/jwks")

    func find(_ configuration: SSOConfiguration) -> InstalledExtension? {
        InstalledExtension(self, revision: "1", hasKeyService: hasKeyService)
    }

    func beginDeviceRegistration(
        _ manager: any ExtensionLoginManager, options: ExtensionRequestOptions
    ) async -> ExtensionRegistrationResult {
        let (result, step) = state.withLock { state in
            state.calls.append(.device(options))
            return (
                state.deviceResults.isEmpty ? .success : state.deviceResults.removeFirst(),
                state.steps.isEmpty ? nil : state.steps.removeFirst()
            )
        }
        do {
            if let step { try await step(manager) }
            guard result == .success else { return result }
            _ = try await manager.deviceKeys()
            try await manager.saveLoginConfiguration(configuration)
            return .success
        } catch { return .failed }
    }

    func beginUserRegistration(
        _ manager: any ExtensionLoginManager, userName: String?,
        method: PlatformSSOAuthenticationMethod,
        options: ExtensionRequestOptions
    ) async -> ExtensionRegistrationResult {
        let (result, step) = state.withLock { state in
            state.calls.append(.user(userName, options))
            return (
                state.userResults.isEmpty ? .success : state.userResults.removeFirst(),
                state.steps.isEmpty ? nil : state.steps.removeFirst()
            )
        }
        do {
            if let step { try await step(manager) }
            guard result == .success else { return result }
            try await manager.saveUserLoginConfiguration(state.withLock { $0.user })
            return .success
        } catch { return .failed }
    }

    func unregister(_ leaving: Unregistration) async throws -> Bool {
        let interlude = state.withLock { state in
            state.calls.append(.leaving(leaving.loginUserName))
            defer { state.whileLeaving = nil }
            return state.whileLeaving
        }
        await interlude?()
        return try state.withLock { try $0.leaving.get() }
    }

    func keyWillRotate(
        _ rotation: KeyRotation, _ manager: any ExtensionLoginManager
    ) async -> Bool {
        let (mayRotate, step) = state.withLock { state in
            state.calls.append(.rotate(rotation.role))
            return (
                state.rotations.isEmpty ? true : state.rotations.removeFirst(),
                state.steps.isEmpty ? nil : state.steps.removeFirst()
            )
        }
        do { if let step { try await step(manager) } } catch { return false }
        return mayRotate
    }

    var describesPeople: Bool { state.withLock { $0.portrait != nil } }

    func displayNames(
        of groups: [String], _ manager: any ExtensionLoginManager
    ) async -> [String: String]? {
        state.withLock { state in
            state.calls.append(.names(groups))
            return state.portrait?.names
        }
    }

    func profilePicture(_ manager: any ExtensionLoginManager) async -> [UInt8]? {
        state.withLock { state in
            state.calls.append(.picture)
            return state.portrait?.picture
        }
    }

    func registrationDidComplete() async { state.withLock { $0.calls.append(.complete) } }
    func registrationDidCancel() async { state.withLock { $0.calls.append(.cancel) } }
    func configurationRemoved() async { state.withLock { $0.calls.append(.removed) } }
}

/// A provider that is away.
struct NoProvider: WebTransport {
    struct Away: Error {}
    func answer(to request: WebRequest) async throws -> WebResponse { throw Away() }
}

/// A provider that comes later than its client.
final class Relay: WebTransport {
    private let target = Mutex<(any WebTransport)?>(nil)

    func use(_ exchange: any WebTransport) { target.withLock { $0 = exchange } }

    func answer(to request: WebRequest) async throws -> WebResponse {
        guard let target = target.withLock({ $0 }) else { throw NoProvider.Away() }
        return try await target.answer(to: request)
    }
}

/// Says nothing.
struct NoNotices: AgentEventLog {
    func prompt(_ subject: RegistrationSubject) {}
    func signInDue(_ person: String, _ reason: SignInSchedule.Reason) {}
    func registrationFailed(_ subject: RegistrationSubject, _ reason: String) {}
    func failed(_ what: String, _ error: any Error) {}
}

/// Answers with what it was given, in order.
final class ScriptedConversation: AgentConversation {
    private let answers: Mutex<[String]>
    private let asked = Mutex<[AgentPrompt]>([])
    private let told = Mutex<[AgentStep]>([])

    init(_ answers: [String] = []) { self.answers = Mutex(answers) }

    var questions: [AgentPrompt] { asked.withLock { $0 } }
    var steps: [AgentStep] { told.withLock { $0 } }
    /// What could be chosen last.
    var choices: [String] {
        for case .choice(_, let choices) in questions.reversed() { return choices }
        return []
    }

    func ask(_ question: AgentPrompt) async throws -> String {
        asked.withLock { $0.append(question) }
        return try answers.withLock { answers in
            guard !answers.isEmpty else { throw PresentationError.cancelled }
            return answers.removeFirst()
        }
    }

    func report(_ step: AgentStep) async { told.withLock { $0.append(step) } }

    let hasBrowser = true

    /// Returns when the task is cancelled.
    func end() async {
        let (stream, _) = AsyncStream<Void>.makeStream()
        for await _ in stream {}
    }
}
