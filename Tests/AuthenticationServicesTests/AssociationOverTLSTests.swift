// SPDX-License-Identifier: Apache-2.0
import AuthenticationServices
import CTAP
import Foundation
import Support
import Testing
import UserClient

/// The association file over real TLS, from a site on loopback.
@Suite(
    .serialized, .timeLimit(.minutes(5)),
    .enabled(if: TLSSite.openssl != nil, "needs the openssl command"))
struct AssociationOverTLSTests {
    private static let file = #"{"webcredentials":{"apps":["ABC.com.example.app"]}}"#

    private func answer(_ status: String, _ body: String, _ more: String = "") -> String {
        "HTTP/1.0 \(status)\r\ncontent-type: application/json\r\n\(more)"
            + "content-length: \(body.utf8.count)\r\n\r\n\(body)"
    }

    private func ask(_ site: TLSSite) async -> Result<CeremonyCaller, ASAuthorizationError> {
        let web = WebClient(trustedCertificates: site.authority)
        let origin = "https://localhost:\(site.port)/"
        let files = AssociationFiles(clock: ManualClock()) { address, limit in
            let place = address.replacing("https://localhost/", with: origin)
            return try await web.send("GET", place, limit: limit, seconds: 20)
        }
        let app = AssociatedApp(
            entitlements: {
                AppEntitlements(
                    applicationIdentifier: "ABC.com.example.app",
                    associatedDomains: ["webcredentials:localhost"])
            }, files: files, allowsDevelopment: false, warn: { _ in })
        do throws(ASAuthorizationError) {
            return .success(try await app.caller(for: "localhost", clientDataJSON: nil))
        } catch { return .failure(error) }
    }

    private func reason(_ site: TLSSite) async -> String {
        switch await ask(site) {
        case .success: "accepted"
        case .failure(let error): error.localizedDescription
        }
    }

    @Test("A site with a good certificate that names the app")
    func good() async throws {
        let site = try TLSSite(.good, answer: answer("200 OK", Self.file))
        #expect(try await ask(site).get() == .app(associatedDomains: ["localhost"]))
    }

    @Test(
        "A certificate that is expired, of another name, or of an unknown authority",
        arguments: [TLSSite.Certificate.expired, .ofAnotherName, .selfSigned])
    func certificate(_ certificate: TLSSite.Certificate) async throws {
        let site = try TLSSite(certificate, answer: answer("200 OK", Self.file))
        #expect(await reason(site).contains("cannot be read"))
    }

    @Test("An untrusted certificate is told with --ca and without a path of a source file")
    func words() async throws {
        for certificate in [TLSSite.Certificate.expired, .ofAnotherName, .selfSigned] {
            let site = try TLSSite(certificate, answer: answer("200 OK", Self.file))
            do {
                _ = try await WebClient(trustedCertificates: site.authority).send(
                    "GET", "https://localhost:\(site.port)/", limit: 1024, seconds: 20)
                Issue.record("accepted")
            } catch {
                let text = ConnectionError.words(for: error)
                let part = certificate == .ofAnotherName ? "another host name" : "--ca FILE"
                #expect(text.contains(part), "\(text)")
                #expect(!text.contains(".cc") && !text.contains("BoringSSL"), "\(text)")
            }
        }
    }

    @Test("A redirect is not followed, even to a place that names the app")
    func redirect() async throws {
        let site = try TLSSite(
            .good,
            answer: answer("302 Found", Self.file, "location: https://localhost/elsewhere\r\n"))
        #expect(await reason(site).contains("redirect"))
    }

    @Test("A file that never seems to end is left")
    func tooLong() async throws {
        let body = Self.file + String(repeating: " ", count: 200_000)
        let site = try TLSSite(.good, answer: answer("200 OK", body))
        #expect(await reason(site).contains("longer than 128 KiB"))
    }
}
