// SPDX-License-Identifier: Apache-2.0
import Primitives
import Testing
import WebAuthn

/// OCSP responses to other requests, made with Python's `cryptography`: the certificate's
/// identifier is hashed with another function.
@Suite("Answers to others' questions")
struct ForeignStatusAnswerTests {
    private static let now = Timestamp(seconds: 1_800_000_000)

    private func status(_ evidence: [String]) async throws -> CertificateStatus {
        let anchors = try TrustAnchors(der: [Self.decode(Self.root)])
        let path = try await VerifiedCertificatePath(
            der: [Self.decode(Self.card)], anchors: anchors, now: Self.now)
        var all = RevocationData()
        for text in evidence { try all.add(Self.decode(text)) }
        return all.status(of: path.certificates[0], issuer: path.certificates[1], now: Self.now)
    }

    @Test("a certificate that is revoked under a name of SHA-256 is revoked")
    func revoked() async throws {
        #expect(try await status([Self.revokedSHA256]) == .revoked)
        #expect(try await status([Self.goodSHA384, Self.revokedSHA256]) == .revoked)
    }

    @Test("names of SHA-384 and SHA-512 clear it")
    func good() async throws {
        for answer in [Self.goodSHA384, Self.goodSHA512] {
            guard case .good(let end) = try await status([answer]) else {
                Issue.record("the answer says nothing")
                continue
            }
            #expect(end.rfc3339.hasPrefix("2036-11-01"))
        }
    }

    private static func decode(_ text: String) -> [UInt8] {
        Base64.decode(text, skippingWhitespace: true) ?? []
    }

    private static let root = """
        MIIBHzCBxqADAgECAgEBMAoGCCqGSM49BAMCMA8xDTALBgNVBAMMBFJvb3QwHhcNMjYxMTAxMDAwMDAwWhcN
        MzYxMTAxMDAwMDAwWjAPMQ0wCwYDVQQDDARSb290MFkwEwYHKoZIzj0CAQYIKoZIzj0DAQcDQgAETqYI1Hmv
        QLzY2o6iqqSE45NENrXPTbBF041RYPba8f3zNasZpVIyvjvQJJ0CHgr8FcOFqzZC01bpjDKtxt6e56MTMBEw
        DwYDVR0TAQH/BAUwAwEB/zAKBggqhkjOPQQDAgNIADBFAiBdOvcp6wGoWSe7JYmO7++iYn3mmckOy56aImxs
        CshDjgIhAOd6syST4f46aITt7NtoXAshLKWPxwRM4HXFhXcT9pll
        """
    private static let card = """
        MIIBHzCBxaADAgECAgMAgAEwCgYIKoZIzj0EAwIwDzENMAsGA1UEAwwEUm9vdDAeFw0yNjExMDEwMDAwMDBa
        Fw0zNjExMDEwMDAwMDBaMA8xDTALBgNVBAMMBGFubmEwWTATBgcqhkjOPQIBBggqhkjOPQMBBwNCAASSFKVW
        brlgDFt9FXfOLjX4XO1fkVQ10Q6+2mu3Wd9HmnRne47j0RZoZminjIV4yGItUOT9kCq6wol+Und9znmuoxAw
        DjAMBgNVHRMBAf8EAjAAMAoGCCqGSM49BAMCA0kAMEYCIQCXSyyO9DiH5V9xtrjhqljeTvCZBMEm4c1IYmzc
        5EAbGQIhAJBHFJ3cthUgYp3AzOMgrfzwRvLkdp9J7MjvIHwkRK8N
        """
    private static let revokedSHA256 = """
        MIIBNgoBAKCCAS8wggErBgkrBgEFBQcwAQEEggEcMIIBGDCBwKIWBBSlnJE6NNQboV4LwJp+beiSM8PFaRgP
        MjAyNjExMjIxMjAyMTdaMIGUMIGRMFgwDQYJYIZIAWUDBAIBBQAEIJ9tm+EiJbtqmecyzEDLZhUQvDMfmhGx
        /AqlQgI8XIbDBCDSD5lz+lQJAeGjBysoyAna0BhYRsNKOFjHa7Pty7MbyAIDAIABoREYDzIwMjYxMTAxMDAw
        MDAwWhgPMjAyNjExMDEwMDAwMDBaoBEYDzIwMzYxMTAxMDAwMDAwWjAKBggqhkjOPQQDAgNHADBEAiAVGzd0
        Ti4VzXD43ltMXdLgromboVVhQECzCx72Uf7xOwIgRFQWAUTUrl61j0LS5kQpzLQtgTBCXUT3iICaa/U8dUE=
        """
    private static let goodSHA384 = """
        MIIBRQoBAKCCAT4wggE6BgkrBgEFBQcwAQEEggErMIIBJzCBz6IWBBSlnJE6NNQboV4LwJp+beiSM8PFaRgP
        MjAyNjExMjIxMjAyMTdaMIGjMIGgMHgwDQYJYIZIAWUDBAICBQAEMCEc3erDWl7afkALYWiMV9KEy5JBbARB
        gCvCtdCFaqVeQvya3H+NbSL2cozV/RDy0QQwTGrTcj4ng/YZhrkNnx8D01Mxlxy8uqakkEjTjgmC1CNle1cj
        dyxajpVzD5/MwSnNAgMAgAGAABgPMjAyNjExMDEwMDAwMDBaoBEYDzIwMzYxMTAxMDAwMDAwWjAKBggqhkjO
        PQQDAgNHADBEAiBNw7FM53fdCGfp0vOrcETALIveIY1VGnZqnlUxPsTI1AIgWBOUrBRAtN++PuqivlreTt/U
        yS5tiv7LxfmQa4/iDD0=
        """
    private static let goodSHA512 = """
        MIIBaAoBAKCCAWEwggFdBgkrBgEFBQcwAQEEggFOMIIBSjCB8KIWBBSlnJE6NNQboV4LwJp+beiSM8PFaRgP
        MjAyNjExMjIxMjAyMTdaMIHEMIHBMIGYMA0GCWCGSAFlAwQCAwUABEDSoGvFktMZJETq3zPXMwgbNAvXjlAm
        qd19oB0LyD2edTnwohSSidda8fyZwUj0ZLZHKi4c9wSyjg3cIBkuOKBuBED++J9TdXNbTUTyaBf3Kb1nCWjv
        KNzKBLepFEQ3jKq5Gi74+Ed6DXuj5Qqq0tyXVxNGxLDFiP4H5cxxmEQLD+c4AgMAgAGAABgPMjAyNjExMDEw
        MDAwMDBaoBEYDzIwMzYxMTAxMDAwMDAwWjAKBggqhkjOPQQDAgNJADBGAiEAr1dkPf8TaBySgmhy/7dSctzS
        m5FrjH8zYrBxYDiWXb8CIQC/nvpmKW7+1c1JlnzeCF7p1FX6qMdvVMnOJrZUeU2XSA==
        """
}
