// SPDX-License-Identifier: Apache-2.0
package import JOSE
import OAuth

/// A user agent for one site: it stores the site's cookies, sends them only there, and does not
/// follow redirects.
package actor CookieUserAgent {
    /// Scheme, host and port.
    package nonisolated let origin: String
    private let web: WebClient
    private var cookies: [String: String] = [:]

    /// The maximum size of a page, in bytes.
    private static let greatestPage = 262_144

    /// - Parameter issuer: A URL on the site.
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

    /// Returns the target of a redirect on this site; `nil` if it is elsewhere.
    nonisolated func place(_ location: String) -> String? {
        if location.hasPrefix("/"), !location.hasPrefix("//") { return origin + location }
        return Self.origin(of: location) == origin ? location : nil
    }

    func get(_ address: String) async throws -> WebClient.Response {
        try await send("GET", address, headers: [("accept", "text/html")], body: nil)
    }

    func post(
        form: [(name: String, value: String)], to address: String
    ) async throws
        -> WebClient.Response
    {
        try await send(
            "POST", address, headers: [("content-type", "application/x-www-form-urlencoded")],
            body: Array(FormEncoding.encode(form).utf8))
    }

    /// Sends JSON and reads JSON. Throws the error of a problem document.
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
    ) async throws -> WebClient.Response {
        guard let address = place(address) else {
            throw UserClientError.invalidAnswer("\(address) is on another site")
        }
        var headers = headers
        if method == "POST" { headers.append(("origin", origin)) }
        if !cookies.isEmpty {
            let pairs = cookies.sorted { $0.key < $1.key }.map { "\($0.key)=\($0.value)" }
            headers.append(("cookie", pairs.joined(separator: "; ")))
        }
        let answer: WebClient.Response
        do {
            answer = try await web.send(
                method, address, headers: headers, body: body, limit: Self.greatestPage)
        } catch {
            throw UserClientError.unreachable(
                "\(address) cannot be reached: \(ConnectionError.words(for: error))")
        }
        for line in answer.cookies { store(line) }
        return answer
    }

    /// Stores name and value of a cookie. With one site and a short flow, other attributes are not
    /// required, except the expiry.
    private func store(_ line: String) {
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
