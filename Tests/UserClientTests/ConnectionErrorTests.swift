// SPDX-License-Identifier: Apache-2.0
import Testing
import UserClient

@Suite struct ConnectionErrorTests {
    @Test("A closed port: the system's message, without a type's name")
    func refused() async {
        do {
            _ = try await WebClient().send("GET", "http://127.0.0.1:1/")
            Issue.record("somebody answered")
        } catch {
            #expect(ConnectionError.words(for: error) == "Connection refused")
            #expect(ConnectionError.kind(of: error) == .unreachable)
        }
    }

    @Test(
        "A port that there cannot be is an address that cannot be asked, and ends no process",
        arguments: ["http://127.0.0.1:65536/", "https://[::1]:99999/", "http://127.0.0.1:-1/"])
    func noPort(address: String) async {
        await #expect(throws: (any Error).self) { try await WebClient().send("GET", address) }
    }

    @Test(
        "Limits are told in words",
        arguments: [
            (
                WebClient.TooSlow() as any Error, "no response in time",
                ConnectionError.Kind.tooSlow
            ),
            (WebClient.TooLong(), "the response is too long", .tooLong),
        ])
    func limits(_ error: any Error, _ words: String, _ kind: ConnectionError.Kind) {
        #expect(ConnectionError.words(for: error) == words)
        #expect(ConnectionError.kind(of: error) == kind)
    }

    @Test("What BoringSSL says is told without the place in its source")
    func sourcePaths() {
        let text = """
            handshakeFailed(NIOSSL.BoringSSLError.sslError([Error: 268435703 error:100000f7:SSL \
            routines:OPENSSL_internal:WRONG_VERSION_NUMBER at /build/ssl/tls_record.cc:127]))
            """
        #expect(TLSReason.words(in: text) == "WRONG_VERSION_NUMBER")
        #expect(TLSReason.words(in: "handshakeFailed(eof)") == "the handshake failed")
    }

    @Test("Of the numbers of Apple's network stack those of certificates are about trust")
    func systemTrust() {
        let numbers = (-9849 ... -9800).filter { ConnectionError.isOfTrust(secureTransport: $0) }
        // Not the protocol's (-9800), an alert's (-9802), or those of a connection that ended (-9805).
        #expect(numbers.sorted(by: >) == [-9807, -9808, -9812, -9813, -9814, -9815, -9843])
    }
}
