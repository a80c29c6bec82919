// SPDX-License-Identifier: Apache-2.0
import HTTPServer
import HTTPTypes
import OAuth
import WebPages

/// An authorization response on its way through the browser.
enum AuthorizationResponsePage {
    /// - Parameter prefix: the prefix of our paths (``Tenant/pathPrefix``).
    static func response(
        _ answer: AuthorizationResponse, in language: Language, below prefix: String
    ) -> ServerResponse {
        answer.mode == .formPost ? form(answer, language, prefix) : .redirect(to: answer.location)
    }

    /// OAuth 2.0 Form Post Response Mode: a page with one form. A script of the provider submits
    /// it; without scripts a person presses the button.
    private static func form(
        _ answer: AuthorizationResponse, _ language: Language, _ prefix: String
    ) -> ServerResponse {
        let title = HTMLText.escape(language.text("formPostTitle"))
        let fields = answer.parameters.map { parameter in
            #"<input type="hidden" name="\#(HTMLText.escape(parameter.name))" "#
                + #"value="\#(HTMLText.escape(parameter.value))">"#
        }
        var response = ServerResponse.html(
            """
            <!doctype html>
            <html lang="\(language.code)"><head><meta charset="utf-8"><title>\(title)</title>
            <meta name="viewport" content="width=device-width, initial-scale=1"></head>
            <body><form method="post" action="\(HTMLText.escape(answer.location))">
            \(fields.joined(separator: "\n"))
            <p>\(HTMLText.escape(language.text("formPostLead")))</p>
            <button type="submit">\(HTMLText.escape(language.text("formPostButton")))</button>
            </form><script src="\(prefix)/assets/form-post.js" defer></script></body></html>
            """)
        response.headers[.contentSecurityPolicy] =
            "default-src 'none'; script-src 'self'; base-uri 'none'; frame-ancestors 'none'; "
            + "form-action \(answer.redirectURI.origin)"
        return response
    }
}
