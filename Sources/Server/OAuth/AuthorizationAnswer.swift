// SPDX-License-Identifier: Apache-2.0
import HTTPTypes
import OAuth

/// An authorization response on its way through the browser.
enum AuthorizationAnswer {
    static func response(_ answer: AuthorizationResponse) -> ServerResponse {
        answer.mode == .formPost ? form(answer) : .redirect(to: answer.location)
    }

    /// OAuth 2.0 Form Post Response Mode: a page with one form. A script of ours sends it off;
    /// without scripts a person presses the button.
    private static func form(_ answer: AuthorizationResponse) -> ServerResponse {
        let fields = answer.parameters.map { parameter in
            #"<input type="hidden" name="\#(HTMLText.escape(parameter.name))" "#
                + #"value="\#(HTMLText.escape(parameter.value))">"#
        }
        var response = ServerResponse.html(
            """
            <!doctype html>
            <html lang="en"><head><meta charset="utf-8"><title>Continue</title>
            <meta name="viewport" content="width=device-width, initial-scale=1"></head>
            <body><form method="post" action="\(HTMLText.escape(answer.location))">
            \(fields.joined(separator: "\n"))
            <button type="submit">Continue</button>
            </form><script src="/assets/form-post.js" defer></script></body></html>
            """)
        response.headers[.contentSecurityPolicy] =
            "default-src 'none'; script-src 'self'; base-uri 'none'; frame-ancestors 'none'; "
            + "form-action \(answer.redirectURI.origin)"
        return response
    }
}
