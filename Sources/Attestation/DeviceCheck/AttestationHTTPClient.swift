// SPDX-License-Identifier: Apache-2.0

/// A client for requests to a vendor's service. The provider supplies the client; tests supply a
/// fake.
package protocol AttestationHTTPClient: Sendable {
    /// - Throws: Any error if there is no response.
    func send(_ request: AttestationHTTPRequest) async throws -> AttestationHTTPResponse
}

package struct AttestationHTTPRequest: Sendable, Equatable {
    package let method: String
    package let url: String
    /// Names in lower case.
    package let headers: [Header]
    package let body: [UInt8]

    package struct Header: Sendable, Equatable {
        package let name: String
        package let value: String

        package init(_ name: String, _ value: String) {
            self.name = name
            self.value = value
        }
    }

    package init(method: String, url: String, headers: [Header] = [], body: [UInt8] = []) {
        self.method = method
        self.url = url
        self.headers = headers
        self.body = body
    }
}

package struct AttestationHTTPResponse: Sendable, Equatable {
    package let status: Int
    /// The body, read up to the caller's limit.
    package let body: [UInt8]

    package init(status: Int, body: [UInt8] = []) {
        self.status = status
        self.body = body
    }
}
