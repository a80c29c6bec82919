// SPDX-License-Identifier: Apache-2.0
import Primitives
import Testing
import WebAuthn

/// A card, an OCSP request and its response, made with `openssl` 3.
@Suite("Certificates of openssl")
struct OpenSSLCardTests {
    private static let now = Timestamp(seconds: 1_800_000_000)

    private func path() async throws -> VerifiedCertificatePath {
        let anchors = try TrustAnchors(der: [Self.decode(Self.root)])
        return try await VerifiedCertificatePath(
            der: [Self.decode(Self.card)], anchors: anchors, now: Self.now)
    }

    @Test("names and addresses are read as openssl wrote them")
    func names() async throws {
        let leaf = try await path().leaf
        #expect(leaf.emailAddresses == ["anna@example.com"])
        #expect(leaf.principalNames == ["anna@corp.example.com"])
        #expect(leaf.shortName == "anna")
        #expect(leaf.serialNumber == [0x12, 0x67])
        #expect(leaf.directoryNames.issuer == "CN=Root")
        #expect(leaf.subjectKeyIdentifier == leaf.publicKeySHA1)
        #expect(leaf.revocationListAddresses == ["http://pki.example.com/ca.crl"])
        #expect(leaf.responderAddresses == ["http://ocsp.example.com/"])
    }

    @Test("the question is openssl's, byte for byte, and its answer clears the card")
    func status() async throws {
        let path = try await path()
        let question = OCSPRequest(path.certificates[0], issuer: path.certificates[1])
        #expect(question.encoded == Self.decode(Self.question))
        var evidence = RevocationData()
        try evidence.add(Self.decode(Self.answer))
        let status = evidence.status(
            of: path.certificates[0], issuer: path.certificates[1], now: Self.now)
        guard case .good = status else {
            Issue.record("\(status)")
            return
        }
    }

    private static func decode(_ text: String) -> [UInt8] {
        Base64.decode(text, skippingWhitespace: true) ?? []
    }

    private static let root = """
        MIIBdDCCARmgAwIBAgIUToIYxk1l+g/LU4lvzVY5ENpvLCYwCgYIKoZIzj0EAwIwDzENMAsGA1UEAwwEUm9v
        dDAeFw0yNjExMjExMzE3MThaFw0zNjExMTgxMzE3MThaMA8xDTALBgNVBAMMBFJvb3QwWTATBgcqhkjOPQIB
        BggqhkjOPQMBBwNCAATM9sDFVT//kNiDZgITecgBUHZml34F90nuvzg80DjN7tlLlU2lACH2MrcaDJhOqkOy
        wK5mZpUVbYo+psemJLj5o1MwUTAdBgNVHQ4EFgQUlrqgyqc2Wb+f/cEW8cZANcwFVkYwHwYDVR0jBBgwFoAU
        lrqgyqc2Wb+f/cEW8cZANcwFVkYwDwYDVR0TAQH/BAUwAwEB/zAKBggqhkjOPQQDAgNJADBGAiEA/AWB6WmT
        Ea7DBTknOPAU1VFGbC8yzbgZskZG/IRUszQCIQCC4bP1KKOtZIoNVr+rdfWbs8zIP0qZzGWlrgnt6L1XIg==
        """
    private static let card = """
        MIICbDCCAhOgAwIBAgICEmcwCgYIKoZIzj0EAwIwDzENMAsGA1UEAwwEUm9vdDAeFw0yNjExMjExMzE3MTha
        Fw0zNjExMTgxMzE3MThaMEIxCzAJBgNVBAYTAlNFMQ4wDAYDVQQKDAVNYWtlcjENMAsGA1UEAwwEQW5uYTEU
        MBIGCgmSJomT8ixkAQEMBGFubmEwWTATBgcqhkjOPQIBBggqhkjOPQMBBwNCAAQVmemTGyqxaJTdm0lyK3l/
        Kt5+PzVftljzb5VNTee257dM+6gdODa4OLNRVwil3jVq9SuijuC3YJPEZv7Kf5Dso4IBKjCCASYwCQYDVR0T
        BAIwADAOBgNVHQ8BAf8EBAMCB4AwHwYDVR0lBBgwFgYIKwYBBQUHAwIGCisGAQQBgjcUAgIwQgYDVR0RBDsw
        OYEQYW5uYUBleGFtcGxlLmNvbaAlBgorBgEEAYI3FAIDoBcMFWFubmFAY29ycC5leGFtcGxlLmNvbTAuBgNV
        HR8EJzAlMCOgIaAfhh1odHRwOi8vcGtpLmV4YW1wbGUuY29tL2NhLmNybDA0BggrBgEFBQcBAQQoMCYwJAYI
        KwYBBQUHMAGGGGh0dHA6Ly9vY3NwLmV4YW1wbGUuY29tLzAdBgNVHQ4EFgQUKRrQMqwD2gbJJDgdibWXeIpp
        ZQQwHwYDVR0jBBgwFoAUlrqgyqc2Wb+f/cEW8cZANcwFVkYwCgYIKoZIzj0EAwIDRwAwRAIgX3bpMEWFM69M
        vkEPZaPW0SUCz9gRMaddvPZepeCRDicCIDA8ABAUvLMg9Eu2p8UQ4c1azMLe9K+T2L9Ypmyazt2G
        """
    private static let question = """
        MEMwQTA/MD0wOzAJBgUrDgMCGgUABBRu5L9Op3kl2xUuUq0sadLj6HhUagQUlrqgyqc2Wb+f/cEW8cZANcwF
        VkYCAhJn
        """
    private static let answer = """
        MIICgQoBAKCCAnowggJ2BgkrBgEFBQcwAQEEggJnMIICYzCBi6ERMA8xDTALBgNVBAMMBFJvb3QYDzIwMjYx
        MTIxMTMxNzE4WjBlMGMwOzAJBgUrDgMCGgUABBRu5L9Op3kl2xUuUq0sadLj6HhUagQUlrqgyqc2Wb+f/cEW
        8cZANcwFVkYCAhJngAAYDzIwMjYxMTIxMTMxNzE4WqARGA8yMDM1MDIwNzEzMTcxOFowCgYIKoZIzj0EAwID
        RwAwRAIgfW8QsJ3r0ibgQDkO6Rr+Ab2IU/dUX/5dZpkeLX33O7QCICBAEkAr86rpy43mfitCqDv22OmTTTJ2
        3X3gcRUnMf19oIIBfDCCAXgwggF0MIIBGaADAgECAhROghjGTWX6D8tTiW/NVjkQ2m8sJjAKBggqhkjOPQQD
        AjAPMQ0wCwYDVQQDDARSb290MB4XDTI2MTEyMTEzMTcxOFoXDTM2MTExODEzMTcxOFowDzENMAsGA1UEAwwE
        Um9vdDBZMBMGByqGSM49AgEGCCqGSM49AwEHA0IABMz2wMVVP/+Q2INmAhN5yAFQdmaXfgX3Se6/ODzQOM3u
        2UuVTaUAIfYytxoMmE6qQ7LArmZmlRVtij6mx6YkuPmjUzBRMB0GA1UdDgQWBBSWuqDKpzZZv5/9wRbxxkA1
        zAVWRjAfBgNVHSMEGDAWgBSWuqDKpzZZv5/9wRbxxkA1zAVWRjAPBgNVHRMBAf8EBTADAQH/MAoGCCqGSM49
        BAMCA0kAMEYCIQD8BYHpaZMRrsMFOSc48BTVUUZsLzLNuBmyRkb8hFSzNAIhAILhs/Uoo61kig1Wv6t19Zuz
        zMg/SpnMZaWuCe3ovVci
        """
}
