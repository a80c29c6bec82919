// SPDX-License-Identifier: Apache-2.0
import Foundation
import HTTPTypes
import Logging
import NIOPosix
import PasswordHashing
import Primitives
import ProviderCore
import ProviderSupport
import ServiceLifecycle
import Storage
import StorageSQLite
import Support
import Testing

@testable import HTTPServer
@testable import WebPages

/// The listener on a real socket, asked by the unmodified `curl` and `openssl`.
@Suite(.timeLimit(.minutes(2)))
struct ListenerTests {
    private struct Echo: HTTPRouteGroup {
        func routes() -> [HTTPRoute] {
            [
                HTTPRoute(.get, "/hello") { request in
                    .json(Array("{\"secure\":\(request.isSecure)}".utf8))
                },
                HTTPRoute(.post, "/count", bodyLimit: 1000) { request in
                    .json(Array(String(request.body.count).utf8))
                },
                HTTPRoute(.get, "/broken") { _ in throw CancellationError() },
                HTTPRoute(.get, "/slow") { _ in
                    for _ in 0..<100 { await Task.yield() }
                    return .json(Array("slowly".utf8))
                },
            ]
        }
    }

    @Test("an answer carries the headers that hold everywhere, and a request id")
    func headers() async throws {
        try await withListener { port in
            let answer = try await curl("-i", "http://127.0.0.1:\(port)/hello")
            #expect(answer.hasPrefix("HTTP/1.1 200 OK"))
            for line in [
                "x-content-type-options: nosniff", "referrer-policy: no-referrer",
                "content-security-policy: default-src 'none'", "x-request-id: ", "date: ",
            ] { #expect(answer.lowercased().contains(line), "\(line)") }
            #expect(!answer.lowercased().contains("strict-transport-security"))
        }
    }

    @Test("HEAD is GET without the body")
    func head() async throws {
        try await withListener { port in
            let answer = try await curl("-I", "http://127.0.0.1:\(port)/hello")
            #expect(answer.contains("200 OK") && answer.contains("16"))
        }
    }

    @Test("a body over the limit is answered with 413, whether its length is said or not")
    func bodyLimit() async throws {
        try await withListener { port in
            let url = "http://127.0.0.1:\(port)/count"
            let big = String(repeating: "x", count: 1001)
            let exact = String(repeating: "x", count: 1000)
            let chunked = ["-H", "Transfer-Encoding: chunked", "-H", "Content-Length:"]
            let answers = [
                try await status(of: url, [], "-d", exact),
                try await status(of: url, [], "-d", big),
                try await status(of: url, chunked, "-d", exact),
                try await status(of: url, chunked, "-d", big),
            ]
            #expect(answers == ["200", "413", "200", "413"])
        }
    }

    @Test("a thrown error is 503 with a problem document that says nothing of the cause")
    func thrown() async throws {
        try await withListener { port in
            let answer = try await curl("-i", "http://127.0.0.1:\(port)/broken")
            #expect(answer.contains("503") && answer.contains("temporarily_unavailable"))
            #expect(answer.contains("application/problem+json"))
            #expect(!answer.contains("Cancellation"))
        }
    }

    @Test("an unknown path is 404, an unknown project too, another method 405 with Allow")
    func refusals() async throws {
        try await withListener { port in
            let base = "http://127.0.0.1:\(port)"
            #expect(try await curl("-i", "\(base)/nothing").contains("404"))
            #expect(try await curl("-i", "\(base)/p/nobody/hello").contains("404"))
            let wrong = try await curl("-i", "-X", "DELETE", "\(base)/hello")
            #expect(wrong.contains("405") && wrong.lowercased().contains("allow: get, head"))
        }
    }

    @Test(
        "Attack 78: an https issuer behind a proxy sends HSTS and Secure cookies on a plain connection"
    )
    func behindProxy() async throws {
        try await withListener(issuer: "https://login.example") { port in
            let answer = try await curl("-i", "http://127.0.0.1:\(port)/hello")
            #expect(answer.lowercased().contains("strict-transport-security: max-age="))
            #expect(answer.contains("{\"secure\":true}"))
        }
    }

    @Test(
        "Attack 78: behind a proxy the session cookie of an https issuer is __Host- and Secure"
    )
    func cookiesBehindProxy() async throws {
        try await withListener(issuer: "https://login.example", groups: openPages) { port in
            let address = "http://127.0.0.1:\(port)/register"
            let page = try await curl("-i", address)
            let form = try #require(cookies(in: page).first { $0.contains("gatehouse-form=") })
            #expect(form.hasPrefix("__Host-") && form.contains("; Secure"))
            let token = try #require(page.firstMatch(of: /name="form_token" value="([^"]+)"/))
            let answer = try await curl(
                "-i", "-H", "Cookie: \(form.prefix { $0 != ";" })", "-d",
                "form_token=\(token.output.1)", "-d",
                "username=anna&password=correct+horse+battery+staple", address)
            let session = try #require(
                cookies(in: answer).first { $0.hasPrefix("__Host-gatehouse-session=") },
                "\(answer)")
            for attribute in ["Secure", "HttpOnly", "Path=/", "SameSite=Lax"] {
                #expect(session.contains("; " + attribute), "\(session)")
            }
            #expect(!session.contains("Domain"))
            #expect(cookies(in: answer).allSatisfy { $0.contains("; Secure") })
        }
    }

    private func cookies(in answer: String) -> [String] {
        let mark = "set-cookie: "
        return answer.split(whereSeparator: \.isNewline)
            .filter { $0.lowercased().hasPrefix(mark) }.map { String($0.dropFirst(mark.count)) }
    }

    /// The pages of a provider where people may make an account.
    private func openPages(_ provider: Provider) async throws -> [any HTTPRouteGroup] {
        var project = try #require(try await provider.tenant(named: "default")).project
        project.policy.selfRegistration = true
        _ = try await provider.store.projects.save(project)
        provider.tenants.invalidate()
        return try Pages(provider: provider, web: WebResources()).groups
    }

    @Test(
        "Attack 78: the first forwarding header of an unlisted peer is in the log, once, with what to set"
    )
    func unlistedProxy() async throws {
        let log = LogLines()
        try await withListener(log: log.logger) { port in
            let url = "http://127.0.0.1:\(port)/hello"
            _ = try await curl(url)
            #expect(log.lines.isEmpty)
            for _ in 0..<3 { _ = try await curl("-H", "X-Forwarded-For: 203.0.113.9", url) }
        }
        let warnings = log.lines.filter { $0.contains("forwarding headers") }
        #expect(warnings.count == 1 && warnings[0].contains("trusted-proxies: [\"127.0.0.1\"]"))
    }

    @Test("TLS speaks HTTP/2 and HTTP/1.1, and says HSTS")
    func tls() async throws {
        let folder = try CertificateFolder()
        let identity = try TLSIdentity(try await folder.makeCertificate("first.example"))
        try await withListener(tls: identity, issuer: "https://first.example") { port in
            let url = "https://127.0.0.1:\(port)/hello"
            let two = try await curl("-k", "-i", "--http2", url)
            #expect(two.hasPrefix("HTTP/2 200") && two.contains("{\"secure\":true}"))
            #expect(two.contains("strict-transport-security"))
            #expect(try await curl("-k", "-i", "--http1.1", url).hasPrefix("HTTP/1.1 200"))
            let code = try await curl(
                "-k", "-o", "/dev/null", "-w", "%{http_code}", "--http2", "-d",
                String(repeating: "x", count: 1001), "https://127.0.0.1:\(port)/count")
            #expect(code == "413")
        }
    }

    @Test("a new certificate is shown after reload, a bad one changes nothing")
    func reload() async throws {
        let folder = try CertificateFolder()
        let identity = try TLSIdentity(try await folder.makeCertificate("first.example"))
        try await withListener(tls: identity) { port in
            func subject() async throws -> String {
                try await runTool(
                    "/bin/sh",
                    [
                        "-c",
                        "openssl s_client -connect 127.0.0.1:\(port) </dev/null 2>/dev/null "
                            + "| openssl x509 -noout -subject",
                    ])
            }
            #expect(try await subject().contains("first.example"))
            _ = try await folder.makeCertificate("second.example")
            try identity.reload()
            #expect(try await subject().contains("second.example"))
            try Data("not a certificate".utf8).write(to: URL(filePath: folder.certificate))
            #expect(throws: (any Error).self) { try identity.reload() }
            #expect(try await subject().contains("second.example"))
        }
    }

    // MARK: HTTP/1.1 itself, byte for byte

    @Test("requests sent ahead are answered in order, on one connection")
    func pipelining() async throws {
        try await withListener { port in
            let post = "POST /count HTTP/1.1\\r\\nHost: a\\r\\nContent-Length: 3\\r\\n\\r\\nabc"
            let get = "GET /hello HTTP/1.1\\r\\nHost: a\\r\\n\\r\\n"
            let slow = "GET /slow HTTP/1.1\\r\\nHost: a\\r\\n\\r\\n"
            let last = "GET /nothing HTTP/1.1\\r\\nHost: a\\r\\nConnection: close\\r\\n\\r\\n"
            let answer = try await talk(port, post + slow + get + slow + get + last)
            let statuses = answer.ranges(of: "HTTP/1.1 ").map { answer[$0.upperBound...].prefix(3) }
            #expect(statuses == ["200", "200", "200", "200", "200", "404"])
            let slowAnswers = answer.ranges(of: "slowly")
            let quickAnswers = answer.ranges(of: "{\"secure\":false}")
            #expect(slowAnswers.count == 2 && quickAnswers.count == 2)
            #expect(slowAnswers[0].lowerBound < quickAnswers[0].lowerBound)
            #expect(quickAnswers[0].lowerBound < slowAnswers[1].lowerBound)
        }
    }

    @Test("five thousand requests sent ahead of a client that reads late are all answered")
    func deepPipeline() async throws {
        try await withListener { port in
            let answers = try await shell(
                """
                exec 3<>/dev/tcp/127.0.0.1/\(port)
                (for i in {1..4999}; do printf 'GET /hello HTTP/1.1\\r\\nHost: a\\r\\n\\r\\n'; done
                printf 'GET /hello HTTP/1.0\\r\\n\\r\\n') >&3 &
                sleep 1
                cat <&3 | grep -c '200 OK'
                """)
            #expect(answers.trimmingCharacters(in: .whitespacesAndNewlines) == "5000")
        }
    }

    @Test("what is no HTTP is refused with 400, after what came before it, and the end")
    func nonsense() async throws {
        try await withListener { port in
            let answer = try await talk(
                port, "GET /slow HTTP/1.1\\r\\nHost: a\\r\\n\\r\\nnonsense\\r\\n\\r\\n")
            let slow = try #require(answer.firstRange(of: "slowly"))
            let refusal = try #require(answer.firstRange(of: "HTTP/1.1 400 Bad Request"))
            #expect(slow.lowerBound < refusal.lowerBound)
            #expect(answer.contains("Connection: close"))
        }
    }

    @Test("more header bytes than the limit are refused with 431")
    func headerOverflow() async throws {
        try await withListener { port in
            let long = String(repeating: "a", count: 20_000)
            let url = "http://127.0.0.1:\(port)/hello"
            let refused = try await status(of: url, [], "-H", "X-Long: \(long)")
            #expect(refused == "431")
        }
    }

    @Test("a target that names its host, an old version and half a connection are understood")
    func forms() async throws {
        try await withListener { port in
            let absolute = "GET http://a.example/hello HTTP/1.1\\r\\nHost: a\\r\\n\\r\\n"
            let old = "GET /hello HTTP/1.0\\r\\n\\r\\n"
            let kept = "GET /hello HTTP/1.0\\r\\nConnection: keep-alive\\r\\n\\r\\n"
            let answer = try await talk(port, absolute + kept + old)
            #expect(answer.ranges(of: "200 OK").count == 3)
            #expect(answer.ranges(of: "Connection: keep-alive").count == 1)
            #expect(answer.ranges(of: "Connection: close").count == 1)
        }
    }

    @Test("a client that waits for 100 Continue gets it, one with too much gets 413 instead")
    func expectContinue() async throws {
        try await withListener { port in
            let url = "http://127.0.0.1:\(port)/count"
            let expect = ["-v", "-i", "-H", "Expect: 100-continue"]
            let continued = try await curl(expect + ["-d", "abc", url])
            #expect(continued.hasPrefix("HTTP/1.1 100 Continue"))
            let huge = ["-H", "Content-Length: 99999999", "-H", "Expect: 100-continue"]
            let refused = try await status(of: url, huge, "-d", "abc")
            #expect(refused == "413")
        }
    }

    @Test("one connection serves many requests, also after a body that was a little too long")
    func keepAlive() async throws {
        try await withListener { port in
            let url = "http://127.0.0.1:\(port)/count"
            let big = String(repeating: "x", count: 1001)
            let connections = try await curl([
                "-o", "/dev/null", "-w", "%{num_connects} %{http_code}\n", "-d", big, url,
                "--next", "-s", "-o", "/dev/null", "-w", "%{num_connects} %{http_code}\n",
                "-d", "abc", url,
            ])
            #expect(connections == "1 413\n0 200\n")
        }
    }

    /// Sends `text` (as printf writes it), and gives everything that comes until the end.
    private func talk(_ port: Int, _ text: String) async throws -> String {
        try await shell(
            "exec 3<>/dev/tcp/127.0.0.1/\(port); printf '\(text)' >&3; timeout 10 cat <&3")
    }

    private func shell(_ script: String) async throws -> String {
        try await runTool("/bin/bash", ["-c", script])
    }

    // MARK: Around the tests

    private func withListener(
        tls: TLSIdentity? = nil, issuer: String = TestProvider.issuer, log: Logger? = nil,
        groups: (Provider) async throws -> [any HTTPRouteGroup] = { _ in [Echo()] },
        _ body: @escaping @Sendable (Int) async throws -> Void
    ) async throws {
        try await listening(to: groups, tls: tls, issuer: issuer, log: log, body)
    }

    private func status(
        of url: String, _ options: [String], _ more: String...
    ) async throws -> String {
        try await curl(["-o", "/dev/null", "-w", "%{http_code}"] + options + more + [url])
    }
}
