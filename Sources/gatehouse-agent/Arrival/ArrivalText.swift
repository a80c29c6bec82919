// SPDX-License-Identifier: Apache-2.0
import Agent
import CommandLineSupport
import JOSE
import Primitives

/// The text of a request of the agent. It contains no text from outside this program, because
/// desktops interpret markup in notifications.
struct ArrivalText: Equatable {
    let sentence: String
    let command: String

    init(_ advice: SessionStartAdvice, now: Timestamp) {
        switch advice.wish {
        case .register:
            sentence = "You are not registered on this device yet."
        case .repair:
            sentence = "You have to register on this device again."
        case .signIn:
            sentence = "You are signed out."
        case .renew:
            let span = advice.until.map { StatusText.span($0 - now) } ?? "a moment"
            sentence = "You have to sign in again within \(span)."
        }
        command =
            switch advice.wish {
            case .register, .repair: "gatehouse-agent register user"
            case .signIn, .renew: "gatehouse-agent sign-in"
            }
    }

    /// The line for a terminal.
    var line: String { "Gatehouse: \(sentence) Type: \(command)" }

    /// The text below the sentence, on a desktop.
    var body: String { "In a terminal, type: \(command)" }
}

/// The output of the command for scripts.
struct ArrivalReport {
    /// Whether the agent received the report.
    let isTold: Bool
    let advice: SessionStartAdvice?
    let text: ArrivalText?

    var json: JSONValue {
        var object = JSONObject([.init(name: "told", value: .bool(isTold))])
        object["wants"] = advice.map { .string($0.wish.rawValue) } ?? .null
        object["until"] = advice?.until.map { .string($0.rfc3339) }
        object["command"] = text.map { .string($0.command) }
        return .object(object)
    }
}
