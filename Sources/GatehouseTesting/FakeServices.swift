// SPDX-License-Identifier: Apache-2.0
import JOSE
import ProviderCore
import Storage
import Synchronization

/// What an operator's own service is asked (`docs/identity-providers.md`).
public struct IdentityProviderRequest: Sendable {
    /// Where in its two steps it is.
    public enum Step: String, Sendable {
        /// The first of two.
        case start
        /// The one that decides.
        case complete
        /// The person has given up between the two.
        case cancel
    }

    /// See ``Step``.
    public let step: Step
    /// The same for every question about one registration.
    public let registrationID: String
    /// What the app said.
    public let data: String?
    /// What the service remembers since its last answer.
    public let state: String?

    init?(_ body: [UInt8]?) {
        guard let body, let object = try? JSONParser.parseObject(body, maximumBytes: 65_536),
            let step = object["step"]?.string.flatMap({ Step(rawValue: $0) }),
            let id = object["registration_id"]?.string
        else { return nil }
        self.step = step
        registrationID = id
        data = object["data"]?.string
        state = object["state"]?.string
    }
}

/// What it answers.
public struct IdentityProviderResponse: Sendable {
    let json: JSONValue

    /// - Parameters:
    ///   - status: 2000 to 2999 agrees, 4000 to 4999 asks to try again, 5000 to 5999 refuses.
    ///   - data: For the app.
    ///   - state: For itself.
    ///   - username: Who it is; with the last step that agrees.
    public init(
        status: Int, data: String? = nil, state: String? = nil, username: String? = nil
    ) {
        var answer = JSONObject()
        answer["status"] = .integer(Int64(status))
        answer["data"] = data.map(JSONValue.string)
        answer["state"] = state.map(JSONValue.string)
        answer["user"] = username.map {
            ["sub": .string($0), "username": .string($0)] as JSONValue
        }
        json = .object(answer)
    }
}

extension InProcessProvider {
    /// Adds an identity provider of the operator's own, by which apps may register from then on.
    ///
    /// - Parameters:
    ///   - id: Its name.
    ///   - twoStep: Whether it is asked to start and to complete, or once.
    ///   - answer: What it says; `nil` for no answer.
    public func addIdentityProvider(
        _ id: String, twoStep: Bool,
        answer: @escaping @Sendable (IdentityProviderRequest) -> IdentityProviderResponse?
    ) async throws {
        var rules = CustomProviderSettings()
        rules.id = id
        rules.name = id
        rules.url = "https://\(id).example/"
        rules.twoStep = twoStep
        outside.add(rules.url, answer)
        try await change { [rules] project in
            project.policy.registration.identityProviders.append(rules)
            project.policy.registration.methods += ["customOneStep", "customTwoStep"]
        }
    }
}

/// The services that an ``InProcessProvider`` asks: those that a test has added, and no others.
final class FakeServices: OutgoingHTTP {
    typealias Answering = @Sendable (IdentityProviderRequest) -> IdentityProviderResponse?

    private let services = Mutex<[String: Answering]>([:])

    func add(_ url: String, _ answering: @escaping Answering) {
        services.withLock { $0[url] = answering }
    }

    func send(_ request: OutgoingRequest) async throws(OutgoingHTTPError) -> OutgoingResponse {
        let answering = services.withLock { $0[request.address.text] }
        guard let question = IdentityProviderRequest(request.body),
            let answer = answering?(question)
        else { throw OutgoingHTTPError(.unreachable, "unreachable") }
        return OutgoingResponse(status: 200, body: answer.json.bytes)
    }
}
