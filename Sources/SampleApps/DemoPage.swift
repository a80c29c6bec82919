// SPDX-License-Identifier: Apache-2.0
import HTTPServer
import HTTPTypes
import JOSE
import ProviderCore
import WebPages

/// What a sample app looks like: the provider's own stylesheet, one card.
struct DemoPage {
    let settings: DemoApp.Settings
    let web: WebResources

    func home(_ arrival: OpenIDRelyingParty.Arrival?) -> ServerResponse {
        arrival.map(inside) ?? outside()
    }

    private func outside() -> ServerResponse {
        html(
            """
            <section class="card">
            <h1>Welcome to \(name)</h1>
            <p class="lead">A sample app without its own accounts: you sign in with Gatehouse at \
            <code>\(HTMLText.escape(settings.issuer))</code>.</p>
            <div class="actions">
            <a class="button" href="/sign-in" data-action="sign-in">Sign in with Gatehouse</a>
            </div>
            \(neighbour(": sign in once, for both."))
            </section>
            """)
    }

    private func inside(_ arrival: OpenIDRelyingParty.Arrival) -> ServerResponse {
        let claims = arrival.userInfo
        let person =
            claims["name"]?.string ?? claims["preferred_username"]?.string ?? "unknown"
        return html(
            """
            <div class="account">
            <section class="card" data-signed-in>
            <div class="page-head">
            <span class="initial huge you" aria-hidden="true">\(HTMLText.escape(String(person.prefix(1))))</span>
            <div><h1>Hello, \(HTMLText.escape(person))</h1>
            <p class="lead">You are signed in to \(name).</p></div>
            </div>
            <div class="actions">
            <a class="button" href="/pay" data-action="pay">Pay with your key</a>
            <form method="post" action="/sign-out">
            <button class="quiet" data-action="sign-out">Sign out</button></form>
            </div>
            \(neighbour(": you are already signed in there."))
            </section>
            \(table("ID token", "Signed by the provider, for this app only.", arrival.claims))
            \(table("User info", "Response of the UserInfo endpoint.", arrival.userInfo))
            </div>
            """, isWide: true)
    }

    func paid() -> ServerResponse {
        html(
            """
            <section class="card" data-paid>
            <h1>Thank you</h1>
            <p class="lead">The payment was accepted, because you have just confirmed it with your \
            passkey or security key (step-up, RFC 9470).</p>
            <div class="actions"><a class="button" href="/">Back to \(name)</a></div>
            </section>
            """)
    }

    func refused(_ reason: String) -> ServerResponse {
        html(
            """
            <section class="card">
            <h1>The request failed</h1>
            <p class="lead" role="alert">\(HTMLText.escape(reason))</p>
            <div class="actions"><a class="button" href="/">Back to \(name)</a></div>
            </section>
            """, status: .badRequest)
    }

    private var name: String { HTMLText.escape(settings.name) }

    private func neighbour(_ promise: String) -> String {
        let (name, address) = settings.neighbour
        return """
            <p class="after">The other sample app is <a href="\(HTMLText.escape(address))/" data-neighbour>\
            \(HTMLText.escape(name))</a>\(promise)</p>
            """
    }

    private func table(_ title: String, _ lead: String, _ members: JSONObject) -> String {
        let rows = members.members.map { member in
            let value = member.value.string ?? member.value.text
            return "<tr><th scope=\"row\">\(HTMLText.escape(member.name))</th>"
                + "<td><code>\(HTMLText.escape(value))</code></td></tr>"
        }
        return """
            <section class="card"><h2>\(title)</h2><p class="hint">\(lead)</p>
            <div class="scroll"><table>\(rows.joined())</table></div></section>
            """
    }

    private func html(
        _ body: String, isWide: Bool = false, status: HTTPResponse.Status = .ok
    ) -> ServerResponse {
        let css = web.assets["gatehouse.css"]?.version ?? ""
        let initial = HTMLText.escape(String(settings.name.prefix(1)))
        var response = ServerResponse.html(
            """
            <!doctype html>
            <html lang="en">
            <head>
            <meta charset="utf-8">
            <meta name="viewport" content="width=device-width, initial-scale=1">
            <meta name="color-scheme" content="light dark">
            <title>\(name)</title>
            <link rel="icon" href="/assets/icon.svg" type="image/svg+xml">
            <link rel="stylesheet" href="/assets/gatehouse.css?v=\(css)">
            </head>
            <body class="\(isWide ? "wide" : "")">
            <header class="masthead">
            <a class="brand" href="/"><span class="initial" aria-hidden="true">\(initial)</span>\
            <span>\(name)</span></a>
            </header>
            <main id="main">
            \(body)
            </main>
            </body>
            </html>
            """, status: status)
        // A form that is sent on may lead to the provider: browsers check the whole way.
        let provider = SiteOrigin(issuer: settings.issuer)?.origin ?? ""
        response.headers[.contentSecurityPolicy] =
            "default-src 'none'; style-src 'self'; img-src 'self' data:; "
            + "form-action 'self' \(provider); frame-ancestors 'none'; base-uri 'none'"
        return response
    }
}
