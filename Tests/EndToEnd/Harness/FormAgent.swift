// SPDX-License-Identifier: Apache-2.0
import Foundation
import Support
import Synchronization

/// A user agent without scripts: it stores cookies, follows redirects of the same host, fills forms.
/// Blocking, used by one thread at a time.
final class FormAgent: Sendable {
    let port: Int
    /// Its claimed address: the server under test trusts loopback as its proxy, so that one device
    /// can represent many and the limits for each address are not measured.
    let address: String
    /// The origin of the provider's pages.
    let origin: String
    private let jar: Mutex<[String: String]>

    /// - Parameter issuer: of a provider that has another port, because it is behind a balancer.
    init(
        port: Int, address: String = "127.0.0.1", cookies: [String: String] = [:],
        issuer: String? = nil
    ) {
        self.port = port
        self.address = address
        origin = issuer ?? "http://localhost:\(port)"
        jar = Mutex(cookies)
    }

    var cookies: [String: String] { jar.withLock { $0 } }

    private var cookieHeaders: [(String, String)] {
        let cookies = cookies
        return cookies.isEmpty
            ? []
            : [("Cookie", cookies.map { "\($0.key)=\($0.value)" }.joined(separator: "; "))]
    }

    /// One exchange, no redirect followed.
    func send(_ request: HTTPRequestText) throws -> HTTPAnswer {
        var request = request
        request.headers += cookieHeaders + [("X-Forwarded-For", address)]
        if request.method == "POST" { request.headers += [("Origin", origin)] }
        let answer = try exchangeNow(request, port: port)
        for line in answer.values(of: "set-cookie") { keep(line) }
        return answer
    }

    private func keep(_ line: String) {
        let parts = line.split(separator: ";")
        let pair = (parts.first ?? "").split(
            separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
        guard pair.count == 2 else { return }
        let gone = parts.dropFirst().contains {
            $0.trimmingCharacters(in: .whitespaces).lowercased() == "max-age=0"
        }
        jar.withLock { $0[String(pair[0])] = gone ? nil : String(pair[1]) }
    }

    /// Follows redirects until an answer that is none, or one that leaves this host.
    func follow(_ request: HTTPRequestText) throws -> HTTPAnswer {
        var answer = try send(request)
        for _ in 0..<10 {
            guard (300..<400).contains(answer.status), let path = localPath(answer) else { break }
            answer = try send(.init(path: path))
        }
        return answer
    }

    private func localPath(_ answer: HTTPAnswer) -> String? {
        guard let location = answer["location"] else { return nil }
        if location.hasPrefix("/") { return location }
        guard location.hasPrefix(origin + "/") else { return nil }
        return String(location.dropFirst(origin.count))
    }

    /// Fills the form of the page that has a field of that name, and sends it.
    func submit(
        _ page: HTTPAnswer, at path: String, _ fields: [(String, String)], having name: String
    ) throws -> HTTPAnswer {
        guard let form = HTMLForm.forms(in: page.text).first(where: { $0.has(name) }) else {
            throw HarnessError("no form with \(name) on \(path): \(page.text.prefix(400))")
        }
        var values = form.preset.filter { preset in !fields.contains { $0.0 == preset.0 } }
        values += fields
        let action = form.action ?? path
        return try follow(.form(action.isEmpty ? path : action, values))
    }

    /// Sends the first form of the page whose address ends so, as it is.
    func submit(_ page: HTTPAnswer, to suffix: String) throws -> HTTPAnswer {
        let forms = HTMLForm.forms(in: page.text)
        guard let form = forms.first(where: { $0.action?.hasSuffix(suffix) == true }),
            let action = form.action
        else { throw HarnessError("no form to \(suffix): \(page.text.prefix(400))") }
        return try follow(.form(action, form.preset))
    }
}

/// What people do in forms.
extension FormAgent {
    var isSignedIn: Bool { cookies["gatehouse-session"] != nil }

    func signIn(_ username: String, _ password: String) throws {
        let page = try follow(.init(path: "/sign-in"))
        let fields = [("username", username), ("password", password)]
        let answer = try submit(page, at: "/sign-in", fields, having: "password")
        guard isSignedIn else { throw HarnessError("not signed in: \(answer.text.prefix(2000))") }
    }

    /// Makes an account with a password. Returns whether the server said that it was made.
    func register(_ username: String, _ password: String) throws -> Bool {
        let page = try follow(.init(path: "/register"))
        let fields = [("username", username), ("password", password)]
        _ = try submit(page, at: "/register", fields, having: "password")
        return isSignedIn
    }
}
