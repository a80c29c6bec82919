// SPDX-License-Identifier: Apache-2.0
import Crypto
import Primitives
import Support
import Testing
import UserClient

/// A page on loopback that posts to a provider.
@Suite struct LoopbackFormTests {
    private let web = WebClient()

    private func form(_ value: String, action: String = "https://idp.example.com/a") -> LoopbackForm
    {
        LoopbackForm(
            action: action, fields: [("request", value)], random: SystemRandomSource())
    }

    @Test("It is displayed at an unguessable path, with a policy that allows one script")
    func shown() async throws {
        let listener = try await LoopbackListener.start { _ in true }
        let page = listener.show(form("message"))
        let answer = try await web.send("GET", page)
        #expect(answer.status == 200)
        let html = String(decoding: answer.body, as: UTF8.self)
        #expect(html.contains(#"action="https://idp.example.com/a""#))
        #expect(html.contains(#"name="request" value="message""#))
        #expect(html.contains("<button>"))
        let script = try #require(
            html.split(separator: "<script>").last?.split(separator: "</script>").first)
        let policy = try #require(answer.headers["content-security-policy"])
        #expect(policy.contains("script-src 'sha256-\(Self.digest(String(script)))'"))
        #expect(answer.headers["cache-control"] == "no-store")
        let root = String(page.prefix { $0 != "/" }) + "//" + page.split(separator: "/")[1]
        for path in ["/", "/start/", "/start/x", "/start/../callback"] {
            #expect(try await web.send("GET", root + path).status == 404)
        }
        #expect(try await web.send("POST", page).status == 404)
        await listener.stop()
    }

    @Test("What is in it cannot become markup")
    func escaped() async throws {
        let listener = try await LoopbackListener.start { _ in true }
        let page = listener.show(form(#""><script>x</script>&"#, action: #"https://a/"onclick="#))
        let html = String(decoding: try await web.send("GET", page).body, as: UTF8.self)
        #expect(html.contains(#"value="&quot;&gt;&lt;script&gt;x&lt;/script&gt;&amp;""#))
        #expect(html.contains(#"action="https://a/&quot;onclick=""#))
        await listener.stop()
    }

    @Test("The answer is the whole address, as it was asked for")
    func answer() async throws {
        let listener = try await LoopbackListener.start { $0["state"] == "s" }
        _ = try await web.send("GET", listener.redirectURI + "?code=other&state=x")
        _ = try await web.send("GET", listener.redirectURI + "?state=s&code=a%20b&session=1")
        let answer = await listener.answer()
        #expect(answer?.url == listener.redirectURI + "?state=s&code=a%20b&session=1")
        #expect(answer?.parameters["code"] == "a b")
        await listener.stop()
    }

    private static func digest(_ text: String) -> String {
        Base64.encode(Array(SHA256.hash(data: Array(text.utf8))))
    }
}
