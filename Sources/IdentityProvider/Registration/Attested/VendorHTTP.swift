// SPDX-License-Identifier: Apache-2.0
import Attestation

/// Vendors' services over the provider's own way out.
struct VendorHTTP: AttestationHTTPClient {
    let http: any OutgoingHTTP
    /// Of an answer, in bytes.
    let longestAnswer: Int

    struct NoAddress: Error {}

    func send(_ request: AttestationHTTPRequest) async throws -> AttestationHTTPResponse {
        guard let address = OutgoingURL(request.url) else { throw NoAddress() }
        let answer = try await http.send(
            OutgoingRequest(
                request.method, address,
                headers: request.headers.map { (name: $0.name, value: $0.value) },
                body: request.method == "GET" ? nil : request.body,
                longestAnswer: longestAnswer))
        return AttestationHTTPResponse(status: answer.status, body: answer.body)
    }
}
