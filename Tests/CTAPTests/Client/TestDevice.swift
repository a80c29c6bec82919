// SPDX-License-Identifier: Apache-2.0
import CTAP

/// A device that opens to a given transport.
struct TestDevice: AuthenticatorDevice {
    let description: AuthenticatorDescription
    private let result: Result<TestTransport, TransportError>

    init(_ id: String, _ transport: TestTransport) {
        description = AuthenticatorDescription(id: id, kind: .stream, name: id)
        result = .success(transport)
    }

    init(_ id: String, failing error: TransportError) {
        description = AuthenticatorDescription(id: id, kind: .stream, name: id)
        result = .failure(error)
    }

    func open() async throws(TransportError) -> any AuthenticatorTransport { try result.get() }
}
