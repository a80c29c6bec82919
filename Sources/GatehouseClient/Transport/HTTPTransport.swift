// SPDX-License-Identifier: Apache-2.0

/// Who carries requests to servers and brings answers back.
///
/// The SDK has one of its own, which is right nearly always. Bring another to record what goes over
/// the wire, to send it elsewhere, or (`GatehouseTesting`) to have no wire at all.
public protocol HTTPTransport: Sendable {
    /// The answer, whatever its status. Follows no redirect.
    ///
    /// - Throws: Whatever there is to say when no answer came. `CancellationError` when the task
    ///   was cancelled, which also takes the request back where that can be.
    func response(to request: ResourceRequest) async throws -> ResourceResponse
}

/// A request to a server: the provider, or one whose resources an access token opens.
public struct ResourceRequest: Sendable {
    /// `GET`, `POST`, …
    public var method: String
    /// Absolute.
    public var url: String
    /// In order; a name may come more than once.
    public var headers: [(name: String, value: String)]
    /// `nil` for none.
    public var body: [UInt8]?

    /// Everything but what must be said has its usual value.
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

/// What a server answered.
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
