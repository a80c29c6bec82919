// SPDX-License-Identifier: Apache-2.0
package import JOSE
import OAuth

/// Visits one site as a person would with a browser: keeps its cookies, sends them nowhere else,
/// and follows no redirect by itself.
package actor CookieUserAgent {
    /// Scheme, host and port.
    package nonisolated let origin: String
    private let web: WebClient
    private var cookies: [String: String] = [:]

    /// Longest page that is read, in bytes.
    private static let greatestPage = 262_144

    /// - Parameter issuer: an address on the site.
    package init?(issuer: String, web: WebClient) {
        guard ProviderEndpoints.isProtected(issuer), let origin = Self.origin(of: issuer) else {
            return nil
        }
        self.origin = origin
        self.web = web
    }

    static func origin(of address: String) -> String? {
        for scheme in ["https://", "http://"] where address.hasPrefix(scheme) {
            return scheme + address.dropFirst(scheme.count).prefix { !"/?#".contains($0) }
        }
        return nil
    }

    /// Where a redirect leads on this site; `nil` when it leads away.
    nonisolated func place(_ location: String) -> String? {
        if location.hasPrefix("/"), !location.hasPrefix("//") { return origin + location }
        return Self.origin(of: location) == origin ? location : nil
    }

    func get(_ address: String) async throws -> WebClient.Answer {
        try await send("GET", address, headers: [("accept", "text/html")], body: nil)
    }

    func post(
        form: [(name: String, value: String)], to address: String
    ) async throws
        -> WebClient.Answer
    {
        try await send(
            "POST", address, headers: [("content-type", "application/x-www-form-urlencoded")],
            body: Array(FormEncoding.encode(form).utf8))
    }

    /// Sends JSON and reads JSON. A problem document becomes the error.
    package func post(json: JSONValue, to address: String) async throws -> JSONObject {
        let answer = try await send(
            "POST", address, headers: [("content-type", "application/json")], body: json.bytes)
        guard let object = try? JSONParser.parseObject(answer.body, maximumBytes: 65_536) else {
            throw UserClientError.invalidAnswer("\(address) answered \(answer.status)")
        }
        guard answer.status == 200 else {
            throw UserClientError.refused(
                code: object["code"]?.string ?? "status \(answer.status)",
                description: object["detail"]?.string ?? object["title"]?.string)
        }
        return object
    }

    private func send(
        _ method: String, _ address: String, headers: [(String, String)], body: [UInt8]?
    ) async throws -> WebClient.Answer {
        guard let address = place(address) else {
            throw UserClientError.invalidAnswer("\(address) is on another site")
        }
        var headers = headers
        if method == "POST" { headers.append(("origin", origin)) }
        if !cookies.isEmpty {
            let pairs = cookies.sorted { $0.key < $1.key }.map { "\($0.key)=\($0.value)" }
            headers.append(("cookie", pairs.joined(separator: "; ")))
        }
        let answer: WebClient.Answer
        do {
            answer = try await web.send(
                method, address, headers: headers, body: body, limit: Self.greatestPage)
        } catch {
            throw UserClientError.unreachable(
                "\(address) cannot be reached: \(ConnectionError.words(for: error))")
        }
        for line in answer.cookies { keep(line) }
        return answer
    }

    /// Name and value; that the site is one, and that the visit is short, makes the rest of a
    /// cookie's rules idle, but for its end.
    private func keep(_ line: String) {
        let parts = line.split(separator: ";")
        let pair = (parts.first ?? "").split(
            separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
        guard pair.count == 2, cookies.count < 16 || cookies[String(pair[0])] != nil else { return }
        let isGone = parts.dropFirst().contains { part in
            part.drop { $0 == " " }.lowercased() == "max-age=0"
        }
        cookies[String(pair[0])] = isGone ? nil : String(pair[1])
    }
}
