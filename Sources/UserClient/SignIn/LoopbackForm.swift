// SPDX-License-Identifier: Apache-2.0
package import Primitives

/// A page on loopback that posts a form to a provider, for messages that are too long, or not allowed, in
/// an address. It posts by itself, or at a click where the browser runs no scripts.
///
/// Its path is not to be guessed: others on this machine could read the page otherwise.
package struct LoopbackForm: Sendable {
    let path: String
    private let action: String
    private let fields: [(name: String, value: String)]

    package init(
        action: String, fields: [(name: String, value: String)], random: some RandomSource
    ) {
        self.action = action
        self.fields = fields
        path = "/start/" + Base64URL.encode(random.bytes(16))
    }

    private static let script = "document.forms[0].submit()"
    /// The hash of ``script``, so that only this script runs.
    private static let scriptHash = "ePniVEkSivX/c7XWBGafqh8tSpiRrKiqYeqbG7N1TOE="

    static let policy =
        "default-src 'none'; style-src 'unsafe-inline'; script-src 'sha256-\(scriptHash)'; "
        + "base-uri 'none'; frame-ancestors 'none'"

    var html: String {
        let inputs = fields.map { name, value in
            #"<input type="hidden" name="\#(Self.escaped(name))" value="\#(Self.escaped(value))">"#
        }
        return LoopbackPage.html(
            "Signing in", style: "button { font: inherit; padding: .5rem 1rem }",
            body: """
                <form method="post" action="\(Self.escaped(action))">
                \(inputs.joined(separator: "\n"))
                <button>Continue to sign in</button>
                </form>
                <script>\(Self.script)</script>
                """)
    }

    private static func escaped(_ text: String) -> String {
        var output = ""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "&": output += "&amp;"
            case "<": output += "&lt;"
            case ">": output += "&gt;"
            case "\"": output += "&quot;"
            default: output.unicodeScalars.append(scalar)
            }
        }
        return output
    }
}
