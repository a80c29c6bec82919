// SPDX-License-Identifier: Apache-2.0
import CommandLineSupport
import Primitives
import ProviderAdministration
import Support
import Testing

@testable import gatehouse

/// What `gatehouse admin` says of a provider that it cannot reach.
@Suite(.timeLimit(.minutes(5)))
struct AdminConnectionTests {
    private func refusal(of url: String, certificates: String? = nil) async -> String {
        let connection = AdminConnection(
            url: url, token: Secret("token"), certificates: certificates)
        let error = await #expect(throws: CommandError.self) {
            try await connection.call(.listProjects)
        }
        return error?.description ?? ""
    }

    @Test(
        "An untrusted certificate is reported with --ca, without a path of BoringSSL's source",
        .enabled(if: TLSSite.openssl != nil, "needs the openssl command"),
        arguments: [TLSSite.Certificate.expired, .ofAnotherName, .selfSigned])
    func certificate(_ certificate: TLSSite.Certificate) async throws {
        let site = try TLSSite(certificate, answer: "HTTP/1.0 200 OK\r\n\r\n")
        let text = await refusal(
            of: "https://localhost:\(site.port)", certificates: site.authority)
        let part = certificate == .ofAnotherName ? "another host name" : "--ca FILE"
        #expect(text.contains(part), "\(text)")
        #expect(!text.contains(".cc") && !text.contains("BoringSSL"), "\(text)")
        #expect(!text.contains("is the provider running"), "\(text)")
    }

    @Test("A port without a listener is reported with a question whether the provider runs")
    func absent() async {
        #expect(
            await refusal(of: "http://127.0.0.1:1")
                == "http://127.0.0.1:1 cannot be reached: Connection refused; "
                + "is the provider running?")
    }
}
