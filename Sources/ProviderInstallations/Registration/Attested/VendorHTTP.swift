// SPDX-License-Identifier: Apache-2.0
import Attestation
import ProviderCore

/// Sends requests to services of vendors with the HTTP client of the provider.
struct VendorHTTP: AttestationHTTPClient {
    let http: any OutgoingHTTP
    /// Maximum length of a response in bytes.
    let maximumResponseLength: Int

    struct NoAddress: Error {}

    func send(_ request: AttestationHTTPRequest) async throws -> AttestationHTTPResponse {
        guard let address = OutgoingURL(request.url) else { throw NoAddress() }
        let answer = try await http.send(
            OutgoingRequest(
                request.method, address,
                headers: request.headers.map { (name: $0.name, value: $0.value) },
                body: request.method == "GET" ? nil : request.body,
                maximumResponseLength: maximumResponseLength))
        return AttestationHTTPResponse(status: answer.status, body: answer.body)
    }
}
