// SPDX-License-Identifier: Apache-2.0
import AgentClient
import JOSE
import Primitives
import SingleSignOn

/// One connection: one request, the questions that it needs, one result.
actor AgentConnection: AgentConversation {
    private let agent: Agent
    private let caller: AgentCaller
    private let programs: [String]
    private let send: @Sendable (JSONObject) async throws -> Void
    private var work: Task<Void, Never>?
    private var waiting: CheckedContinuation<String, any Error>?
    private var isOver = false
    /// Who sits at the other end of a registration or a sign-in.
    private var attending: String?
    private(set) var hasBrowser = true
    /// Those who are told when the other side goes.
    private var leavings: [AsyncStream<Void>.Continuation] = []

    /// - Parameter programs: Which may ask for tokens; empty for all.
    init(
        agent: Agent, caller: AgentCaller, programs: [String],
        send: @escaping @Sendable (JSONObject) async throws -> Void
    ) {
        self.agent = agent
        self.caller = caller
        self.programs = programs
        self.send = send
    }

    /// The first message is the request, those after it are answers.
    func receive(_ message: JSONObject) async {
        guard work != nil else {
            guard let request = AgentRequest(message) else {
                return await reply(.refusal(.malformed))
            }
            work = Task { await run(request) }
            return
        }
        guard let waiting else { return }
        self.waiting = nil
        if let answer = message["answer"]?.string {
            waiting.resume(returning: answer)
        } else {
            waiting.resume(throwing: PresentationError.cancelled)
            await cancelRequest()
        }
    }

    private func cancelRequest() async { if let attending { await agent.cancelled(attending) } }

    /// The other side has gone: whatever it waited for is given up.
    func gone() async {
        guard !isOver else { return }
        isOver = true
        for leaving in leavings { leaving.finish() }
        waiting?.resume(throwing: PresentationError.cancelled)
        waiting = nil
        await cancelRequest()
    }

    // MARK: Conversation

    func ask(_ question: AgentPrompt) async throws -> String {
        guard !isOver, waiting == nil else { throw PresentationError.cancelled }
        guard question.isAnswered else {
            await reply(.ask(question))
            return ""
        }
        return try await withCheckedThrowingContinuation { waiter in
            waiting = waiter
            Task { await reply(.ask(question)) }
        }
    }

    func report(_ step: AgentStep) async { await reply(.step(step)) }

    func end() async {
        guard !isOver else { return }
        let (stream, continuation) = AsyncStream<Void>.makeStream()
        leavings.append(continuation)
        for await _ in stream {}
    }

    private func reply(_ reply: AgentResponse) async { try? await send(reply.json) }

    // MARK: Requests

    private func run(_ request: AgentRequest) async {
        let last: AgentResponse
        do { last = .result(try await result(of: request)) } catch {
            last = .refusal(Self.refusal(error))
        }
        isOver = true
        await reply(last)
    }

    private static func refusal(_ error: any Error) -> AgentRefusal {
        switch error {
        case let refusal as AgentRefusal: refusal
        case let failure as ProviderError: .provider(failure)
        case let error as KeyPINError: .pin(error)
        case is PresentationError: .cancelled
        default: AgentRefusal("failed", "\(error)")
        }
    }

    private func result(of request: AgentRequest) async throws -> JSONValue {
        let account = try account(of: request)
        hasBrowser = request.hasBrowser
        switch request.verb {
        case .status:
            let all = caller.mayDoAnything && request.account == nil
            return await agent.status(of: all ? nil : account).json
        case .arrived: await agent.arrived(account)
        case .registerDevice:
            guard caller.mayDoAnything else { throw AgentRefusal.notYours }
            attending = account
            try await agent.registerDevice(by: account, repair: request.repair, self)
        case .registerUser:
            attending = account
            try await agent.registerPerson(account, repair: request.repair, self)
        case .rotate:
            guard caller.mayDoAnything else { throw AgentRefusal.notYours }
            try await agent.rotateNow()
        case .unregisterDevice:
            guard caller.mayDoAnything else { throw AgentRefusal.notYours }
            try await agent.unregisterDevice(of: account, localOnly: request.localOnly)
        case .unregisterUser:
            try await agent.unregisterPerson(account, localOnly: request.localOnly)
        case .signIn:
            attending = account
            try await agent.signIn(account, self)
        case .refresh: try await agent.refresh(account)
        case .token: return try await token(of: account)
        case .picture: return try await agent.picture(of: account)
        case .authorize:
            guard isAllowed else { throw AgentRefusal.notAllowed }
            guard let asked = AppRequest(request.content) else { throw AgentRefusal.malformed }
            return .object(
                await agent.authorize(asked, by: caller.program, of: account, self).json)
        case .admit:
            guard caller.mayDoAnything else { throw AgentRefusal.notYours }
            guard let asked = AdmissionRequest(request.content) else {
                throw AgentRefusal.malformed
            }
            return try await agent.admit(asked, of: account).json
        case .seal: return .object(try await agent.seal(try secret(request), of: account))
        case .unseal: return .string(try await opened(request, of: account))
        case .reload:
            guard caller.mayDoAnything else { throw AgentRefusal.notYours }
            await agent.reload()
        }
        return await agent.status(of: account).json
    }

    /// Returns the account of a request: the caller's, or the one that root names.
    private func account(of request: AgentRequest) throws(AgentRefusal) -> String {
        guard let named = request.account, named != caller.account else { return caller.account }
        guard caller.mayDoAnything else { throw .notYours }
        guard 1...256 ~= named.utf8.count else { throw .malformed }
        return named
    }

    /// Whether the program may have tokens, or answers that hold some.
    private var isAllowed: Bool {
        programs.isEmpty || caller.program.map(programs.contains) == true
    }

    private func token(of account: String) async throws -> JSONValue {
        guard isAllowed else { throw AgentRefusal.notAllowed }
        let (token, session) = try await agent.idToken(of: account)
        var object = JSONObject([.init(name: "id_token", value: .string(token))])
        object["sub"] = session.subject.map(JSONValue.string)
        object["groups"] = .array(session.groups.map(JSONValue.string))
        return .object(object)
    }

    private func secret(_ request: AgentRequest) throws(AgentRefusal) -> Secret {
        guard let text = request.content?.string, var bytes = Base64URL.decode(text) else {
            throw .malformed
        }
        return Secret(wiping: &bytes)
    }

    private func opened(_ request: AgentRequest, of account: String) async throws -> String {
        guard let object = request.content?.object else { throw AgentRefusal.malformed }
        return Base64URL.encode(try await agent.unseal(object, of: account).reveal())
    }
}
