// SPDX-License-Identifier: Apache-2.0
import Primitives

/// Messages that OpenSSL 3.0 made of one small property list, in base64.
enum SignedSample {
    static let content =
        "<plist version=\"1.0\"><dict><key>PayloadType</key><string>Configuration</string></dict></plist>\n"

    /// `openssl cms -sign -nodetach -binary -outform DER`, everything of known length.
    static let definite = bytes(
        """
        MIID4gYJKoZIhvcNAQcCoIID0zCCA88CAQExDTALBglghkgBZQMEAgEwbgYJKoZIhvcNAQcBoGEEXzxwbGlzdCB2 \
        ZXJzaW9uPSIxLjAiPjxkaWN0PjxrZXk+UGF5bG9hZFR5cGU8L2tleT48c3RyaW5nPkNvbmZpZ3VyYXRpb248L3N0 \
        cmluZz48L2RpY3Q+PC9wbGlzdD4KoIIBsDCCAawwggFRoAMCAQICFGZKphEf2nWGaNQHqCF45ToObNjOMAoGCCqG \
        SM49BAMCMCsxEDAOBgNVBAoMB0V4YW1wbGUxFzAVBgNVBAMMDlByb2ZpbGUgU2lnbmVyMB4XDTI2MTEyMTA5NDAy \
        OVoXDTM2MTExODA5NDAyOVowKzEQMA4GA1UECgwHRXhhbXBsZTEXMBUGA1UEAwwOUHJvZmlsZSBTaWduZXIwWTAT \
        BgcqhkjOPQIBBggqhkjOPQMBBwNCAARcGdQ3JpkLiSDfGXzdHt+tuaGJ8my/3hHmucezqbzR+h4dqORkO/WS2Qlx \
        zsSufXL9Pm4TcqhFwIkwBck5EySro1MwUTAdBgNVHQ4EFgQUvXAha0Fdn5qathqAoLk0MseXC7owHwYDVR0jBBgw \
        FoAUvXAha0Fdn5qathqAoLk0MseXC7owDwYDVR0TAQH/BAUwAwEB/zAKBggqhkjOPQQDAgNJADBGAiEAijUuDb4w \
        A/FowhyFg8JT4rUFnJSbpgk5LSWqBxq1Z/0CIQDd7N1fhDAfYzqbMFDTSBB1vKGjK/O4+oDMIxkQLMhWIzGCAZUw \
        ggGRAgEBMEMwKzEQMA4GA1UECgwHRXhhbXBsZTEXMBUGA1UEAwwOUHJvZmlsZSBTaWduZXICFGZKphEf2nWGaNQH \
        qCF45ToObNjOMAsGCWCGSAFlAwQCAaCB5DAYBgkqhkiG9w0BCQMxCwYJKoZIhvcNAQcBMBwGCSqGSIb3DQEJBTEP \
        Fw0yNjExMjEwOTQwMjlaMC8GCSqGSIb3DQEJBDEiBCCwcK5YkCqDrYaV2Rkbwp/o2/+SahCOQJvCP4BElmlC0zB5 \
        BgkqhkiG9w0BCQ8xbDBqMAsGCWCGSAFlAwQBKjALBglghkgBZQMEARYwCwYJYIZIAWUDBAECMAoGCCqGSIb3DQMH \
        MA4GCCqGSIb3DQMCAgIAgDANBggqhkiG9w0DAgIBQDAHBgUrDgMCBzANBggqhkiG9w0DAgIBKDAKBggqhkjOPQQD \
        AgRHMEUCIQCkPF4PBpGGrzqYG85OVrhjgH6izKV70/cZcIrfs/GeTgIgCqYc4Kngp0Ke/yeG41Akg/7SykMRcUU0 \
        DLBMwGsxMFQ=
        """)

    /// With `-stream`: lengths are not known, the content comes in pieces.
    static let streamed = bytes(
        """
        MIAGCSqGSIb3DQEHAqCAMIACAQExDTALBglghkgBZQMEAgEwgAYJKoZIhvcNAQcBoIAkgARfPHBsaXN0IHZlcnNp \
        b249IjEuMCI+PGRpY3Q+PGtleT5QYXlsb2FkVHlwZTwva2V5PjxzdHJpbmc+Q29uZmlndXJhdGlvbjwvc3RyaW5n \
        PjwvZGljdD48L3BsaXN0PgoAAAAAAACgggGwMIIBrDCCAVGgAwIBAgIUZkqmER/adYZo1AeoIXjlOg5s2M4wCgYI \
        KoZIzj0EAwIwKzEQMA4GA1UECgwHRXhhbXBsZTEXMBUGA1UEAwwOUHJvZmlsZSBTaWduZXIwHhcNMjYxMTIxMDk0 \
        MDI5WhcNMzYxMTE4MDk0MDI5WjArMRAwDgYDVQQKDAdFeGFtcGxlMRcwFQYDVQQDDA5Qcm9maWxlIFNpZ25lcjBZ \
        MBMGByqGSM49AgEGCCqGSM49AwEHA0IABFwZ1DcmmQuJIN8ZfN0e3625oYnybL/eEea5x7OpvNH6Hh2o5GQ79ZLZ \
        CXHOxK59cv0+bhNyqEXAiTAFyTkTJKujUzBRMB0GA1UdDgQWBBS9cCFrQV2fmpq2GoCguTQyx5cLujAfBgNVHSME \
        GDAWgBS9cCFrQV2fmpq2GoCguTQyx5cLujAPBgNVHRMBAf8EBTADAQH/MAoGCCqGSM49BAMCA0kAMEYCIQCKNS4N \
        vjAD8WjCHIWDwlPitQWclJumCTktJaoHGrVn/QIhAN3s3V+EMB9jOpswUNNIEHW8oaMr87j6gMwjGRAsyFYjMYIB \
        ljCCAZICAQEwQzArMRAwDgYDVQQKDAdFeGFtcGxlMRcwFQYDVQQDDA5Qcm9maWxlIFNpZ25lcgIUZkqmER/adYZo \
        1AeoIXjlOg5s2M4wCwYJYIZIAWUDBAIBoIHkMBgGCSqGSIb3DQEJAzELBgkqhkiG9w0BBwEwHAYJKoZIhvcNAQkF \
        MQ8XDTI2MTEyMTA5NDAyOVowLwYJKoZIhvcNAQkEMSIEILBwrliQKoOthpXZGRvCn+jb/5JqEI5Am8I/gESWaULT \
        MHkGCSqGSIb3DQEJDzFsMGowCwYJYIZIAWUDBAEqMAsGCWCGSAFlAwQBFjALBglghkgBZQMEAQIwCgYIKoZIhvcN \
        AwcwDgYIKoZIhvcNAwICAgCAMA0GCCqGSIb3DQMCAgFAMAcGBSsOAwIHMA0GCCqGSIb3DQMCAgEoMAoGCCqGSM49 \
        BAMCBEgwRgIhANe6EQpdNyR6bCGo6L8NbODvQzzXi9JjkKWnB2hgJkpIAiEAtkg3xmiP2O5V9xkVlSovLyPILQHw \
        NZxzb70aWkzdBjwAAAAAAAA=
        """)

    /// Without `-nodetach`: the signature alone.
    static let detached = bytes(
        """
        MIIDfgYJKoZIhvcNAQcCoIIDbzCCA2sCAQExDTALBglghkgBZQMEAgEwCwYJKoZIhvcNAQcBoIIBsDCCAawwggFR \
        oAMCAQICFGZKphEf2nWGaNQHqCF45ToObNjOMAoGCCqGSM49BAMCMCsxEDAOBgNVBAoMB0V4YW1wbGUxFzAVBgNV \
        BAMMDlByb2ZpbGUgU2lnbmVyMB4XDTI2MTEyMTA5NDAyOVoXDTM2MTExODA5NDAyOVowKzEQMA4GA1UECgwHRXhh \
        bXBsZTEXMBUGA1UEAwwOUHJvZmlsZSBTaWduZXIwWTATBgcqhkjOPQIBBggqhkjOPQMBBwNCAARcGdQ3JpkLiSDf \
        GXzdHt+tuaGJ8my/3hHmucezqbzR+h4dqORkO/WS2QlxzsSufXL9Pm4TcqhFwIkwBck5EySro1MwUTAdBgNVHQ4E \
        FgQUvXAha0Fdn5qathqAoLk0MseXC7owHwYDVR0jBBgwFoAUvXAha0Fdn5qathqAoLk0MseXC7owDwYDVR0TAQH/ \
        BAUwAwEB/zAKBggqhkjOPQQDAgNJADBGAiEAijUuDb4wA/FowhyFg8JT4rUFnJSbpgk5LSWqBxq1Z/0CIQDd7N1f \
        hDAfYzqbMFDTSBB1vKGjK/O4+oDMIxkQLMhWIzGCAZQwggGQAgEBMEMwKzEQMA4GA1UECgwHRXhhbXBsZTEXMBUG \
        A1UEAwwOUHJvZmlsZSBTaWduZXICFGZKphEf2nWGaNQHqCF45ToObNjOMAsGCWCGSAFlAwQCAaCB5DAYBgkqhkiG \
        9w0BCQMxCwYJKoZIhvcNAQcBMBwGCSqGSIb3DQEJBTEPFw0yNjExMjEwOTQwMjlaMC8GCSqGSIb3DQEJBDEiBCCw \
        cK5YkCqDrYaV2Rkbwp/o2/+SahCOQJvCP4BElmlC0zB5BgkqhkiG9w0BCQ8xbDBqMAsGCWCGSAFlAwQBKjALBglg \
        hkgBZQMEARYwCwYJYIZIAWUDBAECMAoGCCqGSIb3DQMHMA4GCCqGSIb3DQMCAgIAgDANBggqhkiG9w0DAgIBQDAH \
        BgUrDgMCBzANBggqhkiG9w0DAgIBKDAKBggqhkjOPQQDAgRGMEQCIDdChwmRayCM0a6OqIHdda5NIafkczGn9dt8 \
        nujf/c6mAiA+irdA75wltTiboOBCizfnn30PbCVfzrQk1V5L1CskVw==
        """)

    /// `openssl cms -encrypt`: sealed, not signed.
    static let enveloped = bytes(
        """
        MIIBfgYJKoZIhvcNAQcDoIIBbzCCAWsCAQIxgdahgdMCAQOgUaFPMAkGByqGSM49AgEDQgAEkfnQ1NjRRqADJewb \
        8sf5/zPnrJH5QYVWhqu319KFvsm6ww100cG3KBcwzrDdtfw1VluwSFYxIL61AhlWEsKWGzAYBgkrgQUQhkg/AAIw \
        CwYJYIZIAWUDBAEFMGEwXzBDMCsxEDAOBgNVBAoMB0V4YW1wbGUxFzAVBgNVBAMMDlByb2ZpbGUgU2lnbmVyAhRm \
        SqYRH9p1hmjUB6gheOU6DmzYzgQYCURK6x2fE/smwn3fH+ioI1Om0SKpxVUvMIGMBgkqhkiG9w0BBwEwHQYJYIZI \
        AWUDBAECBBDAM42JI8uk90Tmg2E6SRazgGBcqCqyx+8P1Wx7ssThxLv8+Nda2COaDAamAAVbOqZv4fYKCegepy6b \
        gJTvxNeZe6s4d+Jyi2agWar4bL6ahNVDy3lOoQYshgGjmCcXZIc3/MErIp+lEK5oQcEJbEntX6A=
        """)

    /// With `-nocerts`: the signer is not identified.
    static let withoutCertificates = bytes(
        """
        MIICLwYJKoZIhvcNAQcCoIICIDCCAhwCAQExDTALBglghkgBZQMEAgEwbgYJKoZIhvcNAQcBoGEEXzxwbGlzdCB2 \
        ZXJzaW9uPSIxLjAiPjxkaWN0PjxrZXk+UGF5bG9hZFR5cGU8L2tleT48c3RyaW5nPkNvbmZpZ3VyYXRpb248L3N0 \
        cmluZz48L2RpY3Q+PC9wbGlzdD4KMYIBljCCAZICAQEwQzArMRAwDgYDVQQKDAdFeGFtcGxlMRcwFQYDVQQDDA5Q \
        cm9maWxlIFNpZ25lcgIUZkqmER/adYZo1AeoIXjlOg5s2M4wCwYJYIZIAWUDBAIBoIHkMBgGCSqGSIb3DQEJAzEL \
        BgkqhkiG9w0BBwEwHAYJKoZIhvcNAQkFMQ8XDTI2MTEyMTA5NDAyOVowLwYJKoZIhvcNAQkEMSIEILBwrliQKoOt \
        hpXZGRvCn+jb/5JqEI5Am8I/gESWaULTMHkGCSqGSIb3DQEJDzFsMGowCwYJYIZIAWUDBAEqMAsGCWCGSAFlAwQB \
        FjALBglghkgBZQMEAQIwCgYIKoZIhvcNAwcwDgYIKoZIhvcNAwICAgCAMA0GCCqGSIb3DQMCAgFAMAcGBSsOAwIH \
        MA0GCCqGSIb3DQMCAgEoMAoGCCqGSM49BAMCBEgwRgIhAJcqXjo53XAQSUWGLt0UGKM1qWCE/3kPgJy5hxzvu8Ml \
        AiEA3vNfLPouyT85C1SQgK+AVNP+Wv9ibp1WlcGQlPoA04Y=
        """)

    private static func bytes(_ base64: String) -> [UInt8] {
        let letters = base64.utf8.filter { $0 > 0x20 && $0 != UInt8(ascii: "=") }.map {
            letter -> UInt8 in
            switch letter {
            case UInt8(ascii: "+"): UInt8(ascii: "-")
            case UInt8(ascii: "/"): UInt8(ascii: "_")
            default: letter
            }
        }
        return Base64URL.decode(bytes: letters) ?? []
    }
}
