// SPDX-License-Identifier: Apache-2.0

/// A transport that sends requests and returns responses.
///
/// The SDK's own transport suffices for most apps. Supply another to record or redirect requests,
/// or (`GatehouseTesting`) to send none over the network.
public protocol HTTPTransport: Sendable {
    /// The answer, whatever its status. Follows no redirect.
    ///
    /// - Throws: An error if there is no response. `CancellationError` if the task was cancelled,
    ///   which also cancels the request if possible.
    func response(to request: ResourceRequest) async throws -> ResourceResponse
}

/// A request to a server: the provider, or one whose resources an access token opens.
public struct ResourceRequest: Sendable {
    /// `GET`, `POST`, …
    public var method: String
    /// Absolute.
    public var url: String
    /// The headers in order; a name may repeat.
    public var headers: [(name: String, value: String)]
    /// `nil` for none.
    public var body: [UInt8]?

    /// Creates a request. All optional values have defaults.
    public init(
        _ url: String, method: String = "GET", headers: [(name: String, value: String)] = [],
        body: [UInt8]? = nil
    ) {
        self.method = method
        self.url = url
        self.headers = headers
        self.body = body
    }

    /// Replaces every field of that name.
    public mutating func set(_ name: String, _ value: String) {
        headers.removeAll { $0.name.lowercased() == name.lowercased() }
        headers.append((name, value))
    }
}

/// The response of a server.
public struct ResourceResponse: Sendable {
    /// The status code.
    public var status: Int
    /// Names in lower case.
    public var headers: [String: String]
    /// Whole.
    public var body: [UInt8]

    /// An answer, for transports of your own.
    public init(status: Int, headers: [String: String] = [:], body: [UInt8] = []) {
        self.status = status
        self.headers = headers
        self.body = body
    }

    /// The value of a field, whatever the case of its name.
    public func header(_ name: String) -> String? { headers[name.lowercased()] }
}
