// SPDX-License-Identifier: Apache-2.0
import JOSE

/// A text or prompt that an extension displays to a person. The presenter draws it in a terminal, a
/// window or a page.
///
/// The texts are untrusted and are displayed without control characters.
package enum ExtensionPrompt: Sendable, Equatable {
    /// A sentence without a response.
    case notice(String)
    /// A line whose input is displayed.
    case line(String)
    /// A line whose input is hidden.
    case secret(String)
    /// A choice of 1 to 64.
    case choice(String, [String])
    /// A page to open, on this device or another, with a code to enter there.
    case page(url: String, code: String?)

    package static let maximumChoices = 64

    var json: JSONObject {
        func object(_ kind: String, _ text: String) -> JSONObject {
            JSONObject([
                .init(name: "question", value: .string(kind)),
                .init(name: "text", value: .string(text)),
            ])
        }
        switch self {
        case .notice(let text): return object("notice", text)
        case .line(let text): return object("line", text)
        case .secret(let text): return object("secret", text)
        case .choice(let text, let choices):
            var choice = object("choice", text)
            choice["choices"] = .texts(choices)
            return choice
        case .page(let url, let code):
            var page = object("page", url)
            page["code"] = code.map { .string($0) }
            return page
        }
    }

    init(json: JSONObject) throws(ExtensionMessageError) {
        let reader = JSONReader<ExtensionMessageError>(json)
        let kind = try reader.required("question", .text)
        let text = try reader.required("text", .text)
        switch kind {
        case "notice": self = .notice(text)
        case "line": self = .line(text)
        case "secret": self = .secret(text)
        case "choice":
            let choices = try reader.required("choices", .texts(Self.maximumChoices))
            guard !choices.isEmpty else {
                throw ExtensionMessageError(.memberMalformed, "choices")
            }
            self = .choice(text, choices)
        case "page": self = .page(url: text, code: try reader.optional("code", .string(0...128)))
        default: throw ExtensionMessageError(.unknownKind, "question")
        }
        try reader.finish()
    }
}
