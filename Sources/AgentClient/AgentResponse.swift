// SPDX-License-Identifier: Apache-2.0
package import JOSE

/// What the agent says; the last message of a connection is a result or a refusal.
package enum AgentResponse: Sendable, Equatable {
    case step(AgentStep)
    case ask(AgentPrompt)
    case result(JSONValue)
    case refusal(AgentRefusal)

    package var json: JSONObject {
        func object(_ name: String, _ value: JSONValue) -> JSONObject {
            JSONObject([.init(name: name, value: value)])
        }
        return switch self {
        case .step(let step): object("step", .string(step.rawValue))
        case .ask(let question): object("ask", question.json)
        case .result(let value): object("result", value)
        case .refusal(let refusal):
            object(
                "refusal",
                [
                    "code": .string(refusal.code), "description": .string(refusal.description),
                ])
        }
    }

    package init?(_ object: JSONObject) {
        guard let member = object.members.first, object.members.count == 1 else { return nil }
        switch (member.name, member.value) {
        case ("step", .string(let name)):
            guard let step = AgentStep(rawValue: name) else { return nil }
            self = .step(step)
        case ("ask", let value):
            guard let question = AgentPrompt(value) else { return nil }
            self = .ask(question)
        case ("result", let value): self = .result(value)
        case ("refusal", let value):
            guard let code = value["code"]?.string, let text = value["description"]?.string else {
                return nil
            }
            self = .refusal(AgentRefusal(code, text))
        default: return nil
        }
    }
}

extension AgentPrompt {
    /// Whether the person answers it: the result of a page arrives another way, and a notice has
    /// none.
    package var isAnswered: Bool {
        switch self {
        case .line, .secret, .choice: true
        case .notice, .page, .code: false
        }
    }

    package var json: JSONValue {
        switch self {
        case .line(let text, let suggestion):
            var object = JSONObject([.init(name: "kind", value: "line")])
            object["text"] = .string(text)
            object["suggestion"] = suggestion.map(JSONValue.string)
            return .object(object)
        case .secret(let text): return ["kind": "secret", "text": .string(text)]
        case .choice(let text, let choices):
            return [
                "kind": "choice", "text": .string(text),
                "choices": .array(choices.map(JSONValue.string)),
            ]
        case .notice(let text): return ["kind": "notice", "text": .string(text)]
        case .page(let url): return ["kind": "page", "text": .string(url)]
        case .code(let page):
            return [
                "kind": "code", "text": .string(page.url), "code": .string(page.code),
                "complete": .string(page.completeURL),
            ]
        }
    }

    package init?(_ value: JSONValue) {
        guard let text = value["text"]?.string else { return nil }
        switch value["kind"]?.string {
        case "line": self = .line(text, suggestion: value["suggestion"]?.string)
        case "secret": self = .secret(text)
        case "notice": self = .notice(text)
        case "page": self = .page(text)
        case "code":
            guard let code = value["code"]?.string, let complete = value["complete"]?.string else {
                return nil
            }
            self = .code(DeviceCodeInstructions(url: text, code: code, completeURL: complete))
        case "choice":
            guard let choices = value["choices"]?.strings, !choices.isEmpty else { return nil }
            self = .choice(text, choices)
        default: return nil
        }
    }
}
