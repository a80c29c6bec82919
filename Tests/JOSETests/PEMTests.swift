// SPDX-License-Identifier: Apache-2.0
import JOSE
import Primitives
import Testing

/// Keys in PEM, as OpenSSL 3 writes them.
@Suite struct PEMTests {
    // MARK: Reading

    @Test(
        "Every armour of one private key is the same key, with any line ends",
        arguments: [
            [PEMSamples.sec1, PEMSamples.pkcs8EC], [PEMSamples.pkcs1RSA, PEMSamples.pkcs8RSA],
        ], ["\n", "\r\n", "\r", "\n\n", "  \n"])
    func privateKeys(texts: [String], lineEnd: String) throws {
        let keys = try texts.map {
            try PrivateJWK(pem: Secret($0.replacing("\n", with: lineEnd) + lineEnd))
        }
        #expect(keys[0] == keys[1])
        let signer = try JOSESigner(keys[0], algorithm: keys[0].publicKey.algorithm)
        let signed = try signer.sign(payload: [1, 2, 3], typ: "JWT")
        let verifier = JWSVerifier(
            key: .publicKey(keys[1].publicKey), algorithms: [keys[0].publicKey.algorithm])
        #expect(try verifier.verify(compact: signed).payload == [1, 2, 3])
    }

    @Test("A public key is that of its private one, in every armour")
    func publicKeys() throws {
        let ec = try PrivateJWK(pem: Secret(PEMSamples.sec1)).publicKey
        #expect(try PublicJWK(pem: PEMSamples.spkiEC) == ec)
        let rsa = try PrivateJWK(pem: Secret(PEMSamples.pkcs1RSA)).publicKey
        #expect(try PublicJWK(pem: PEMSamples.spkiRSA) == rsa)
        #expect(try PublicJWK(pem: PEMSamples.pkcs1PublicRSA) == rsa)
        #expect(try PublicJWK(pem: PEMSamples.spkiEd25519).keyType == "OKP")
        let letters = PEMSamples.pkcs1PublicRSA.split(separator: "\n").dropFirst().dropLast()
        #expect(try PublicJWK(base64DER: letters.joined()) == rsa)
    }

    // MARK: Writing

    @Test("What is written is what OpenSSL writes")
    func written() throws {
        let rsa = try PrivateJWK(pem: Secret(PEMSamples.pkcs8RSA))
        #expect(try rsa.pem().revealText() == PEMSamples.pkcs1RSA + "\n")
        let ec = try PrivateJWK(pem: Secret(PEMSamples.sec1))
        #expect(try ec.pem().revealText() == PEMSamples.pkcs8EC + "\n")
        let ed25519 = try PrivateJWK.generate(for: .edDSA)
        #expect(throws: JOSEError(.keyUnsupported, "")) { try ed25519.pem() }
    }

    // MARK: Refusals

    @Test(
        "What is no PEM of a key",
        arguments: [
            "", "x", "-----BEGIN PUBLIC KEY-----",
            "-----BEGIN PUBLIC KEY-----\n-----END PUBLIC KEY-----",
            "-----BEGIN PUBLIC KEY-----\n!\n-----END PUBLIC KEY-----",
            "-----BEGIN PUBLIC KEY-----\nAAAA\n-----END PUBLIC KEY-----",
            "-----BEGIN PUBLIC KEY-----\nAAA\n-----END PUBLIC KEY-----",
            "-----BEGIN -----\nAAAA\n-----END -----",
            PEMSamples.spkiEC.replacing("END PUBLIC", with: "END RSA PUBLIC"),
            PEMSamples.spkiEC + "\n" + PEMSamples.spkiEC, "text\n" + PEMSamples.spkiEC,
            PEMSamples.spkiEC.replacing("MFkw", with: "MFow"),
            PEMSamples.spkiEd25519.replacing("MCow", with: "MCsw"),
        ])
    func malformed(text: String) {
        #expect(throws: JOSEError(.keyMalformed, "")) { try PublicJWK(pem: text) }
    }

    @Test("Trailing bytes after a key are not part of it")
    func trailing() throws {
        let letters = PEMSamples.pkcs1PublicRSA.split(separator: "\n").dropFirst().dropLast()
        let der = try #require(Base64.decode(letters.joined()))
        #expect(throws: JOSEError(.keyMalformed, "")) { try PublicJWK(der: der + [0]) }
        #expect(throws: JOSEError(.keyMalformed, "")) { try PublicJWK(der: der.dropLast()) }
    }

    @Test("A private key is no public one, and an encrypted one is not read")
    func otherBlocks() {
        #expect(throws: JOSEError(.keyUnsupported, "")) { try PublicJWK(pem: PEMSamples.sec1) }
        #expect(throws: JOSEError(.keyUnsupported, "")) {
            try PrivateJWK(pem: Secret(PEMSamples.spkiRSA))
        }
        let encrypted = PEMSamples.pkcs1RSA.replacing(
            "PRIVATE KEY-----\nMII", with: "PRIVATE KEY-----\nProc-Type: 4,ENCRYPTED\nMII")
        #expect(throws: JOSEError(.keyUnsupported, "")) {
            try PrivateJWK(pem: Secret(encrypted))
        }
        let long = String(repeating: "A", count: 16_385)
        #expect(throws: JOSEError(.tooLarge, "")) { try PublicJWK(pem: long) }
    }
}

extension PublicJWK {
    fileprivate var algorithm: JWSAlgorithm { keyType == "RSA" ? .rs256 : .es256 }
}

/// Made for these tests, and used nowhere else.
enum PEMSamples {
    static let sec1 = """
        -----BEGIN EC PRIVATE KEY-----
        MHcCAQEEIL4ZFrerIy2HNkwC6PdZJnMxZ2Qo3xoiESqiBetAdOfIoAoGCCqGSM49
        AwEHoUQDQgAEKdqyVSdkZ2R7fLtGCZFiHKZIsmCJr2ni1Vy0s1RfRqb4KASuS5o4
        /xmkXp44TFZmHpjAan1Vo7H2YKREi5Txeg==
        -----END EC PRIVATE KEY-----
        """
    static let pkcs8EC = """
        -----BEGIN PRIVATE KEY-----
        MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQgvhkWt6sjLYc2TALo
        91kmczFnZCjfGiIRKqIF60B058ihRANCAAQp2rJVJ2RnZHt8u0YJkWIcpkiyYImv
        aeLVXLSzVF9GpvgoBK5Lmjj/GaRenjhMVmYemMBqfVWjsfZgpESLlPF6
        -----END PRIVATE KEY-----
        """
    static let spkiEC = """
        -----BEGIN PUBLIC KEY-----
        MFkwEwYHKoZIzj0CAQYIKoZIzj0DAQcDQgAEKdqyVSdkZ2R7fLtGCZFiHKZIsmCJ
        r2ni1Vy0s1RfRqb4KASuS5o4/xmkXp44TFZmHpjAan1Vo7H2YKREi5Txeg==
        -----END PUBLIC KEY-----
        """
    static let pkcs1RSA = """
        -----BEGIN RSA PRIVATE KEY-----
        MIIEowIBAAKCAQEAqoDav1jGAbsGS7D5ubuLdsMbxDaGTnL3DJlEM8SWZVNhqXpE
        5+LXG6UPvTmP/UX05Df3Rovkh7hYpQEVsv6qtHzSvG8SMiHmGfN5IKXLi8KJAeQi
        u1+AAPVA4UpRm15y2SQQUDLm68vt++kRGaiccSN8JLR8R7oRTJa0DK124H+DMWm3
        ygeneAkQ4UvzawIqm1EjcOsH87EcEeYQKltOvxZGLCUKruCSfnCg5GSS/Y5AG9yk
        r7UDlMu0S7BDKjly55/R7Rg75dnQhnegJR9ixghvUpOriR0i++rjEcgWLQywiBGo
        i/irqeFcl3/b8wJl5/BB6ME/n71UaYlHszRyoQIDAQABAoIBABSz15uzNjugj1ei
        cfgE1x7A+v6cljsxR2D+vSLCBHbiJHIVGAfF6dN/+8TAmASrOVx6lSo6MzHthsnm
        M1HMDUMkAtyBagavSgatou/9YZUjNkqF/lec9WhoXwvb38PLOIu4DskGHTbVSJy1
        RG/GotQz+E9moM5+v7n6dHszlsMUVY+ibsFLum39rGLplf3icr1xKXlap2sxfWtT
        p+ByHMY7u0Ug1AeyX6FoFNhg5/drsPHTL0U05g7cDGLtV3EFgcHcLgEhUWgxUQS9
        ur7OaU7xGHX155vrDpzPRfvX93642q2UKjDxOzrPMV3wN/Tujry6RnkUb7X4Bc+S
        uF0spiECgYEA5UkGTDfB3ihWcM834jra/tX6WiwOZo9APW1kiVDwK9dU45FkoGU3
        h6195P2eV4ppPSBn/TQrk0U4tJ8NDBeK0EmTQ7znHDXMPK/WMs4xEM5Chfj4644Q
        u/WxIRwIYPKB+5VlHindjDY7Otm/oCLDanCDCNyOffroo9EOBk5/nikCgYEAvl6F
        J6rV675EDszU1psXToTbBwVBfljYoiKQtHLC8JQw+Ei+rEDdW5J/ZKe+UrsjU7bx
        jgG3XskUjyQtZLY5ghCQPD0ttmRZAvBTwDoNcR0w4geCN6VjV+Rmzbbz7S8T5yL/
        71kh/F45wig//NmjtDcBBo9gyJym4rLgb1pYz7kCgYBTc4GsSfrwzcOwaWtQltVQ
        PTdSjIhtQaRC90bJR8EyY7xM24VBb7WHV1jj+H8iI4lsKxhOKyfVATPDYcRQ61yl
        tLG5zM5dESOVzvXqJevrzvadZmHK8jkbADCI+Xf/OSSgGd7k3J37Q13JbKl3Mk/n
        tK2skwH1zlXQEe3F09pVCQKBgEnZwS4yR+q8VQqoy6i1YcVEJPQERfQN43yCjEB0
        hMtvsc+f6NhKEZWEr4cMy/isQHgpcGv2nnxW5XLiRfnb91NNuaak1Sb8pstNEDBy
        VOScvmnxH8MWlgNyx67mWpqYuM/h9AeWPGj65M09cBVXGPrAm9U/qfwpSVSIsCiC
        lBGBAoGBAMrx/sZeEo2xg4tPoo/d3G8qoLnKeH41ZnzxmyL5eOYvFID3rFIn9Kqa
        +MB19/XjJ5CTceSY5WgcpJoqeX81BqsG62uIaWmu+si/phgz+NVkiNSk7jBqoaPx
        DZp2kDcRwRiszfGvYlrlm7MT97J81DM508lnDE+5RCKpDGUXuLqe
        -----END RSA PRIVATE KEY-----
        """
    static let pkcs8RSA = """
        -----BEGIN PRIVATE KEY-----
        MIIEvQIBADANBgkqhkiG9w0BAQEFAASCBKcwggSjAgEAAoIBAQCqgNq/WMYBuwZL
        sPm5u4t2wxvENoZOcvcMmUQzxJZlU2GpekTn4tcbpQ+9OY/9RfTkN/dGi+SHuFil
        ARWy/qq0fNK8bxIyIeYZ83kgpcuLwokB5CK7X4AA9UDhSlGbXnLZJBBQMubry+37
        6REZqJxxI3wktHxHuhFMlrQMrXbgf4MxabfKB6d4CRDhS/NrAiqbUSNw6wfzsRwR
        5hAqW06/FkYsJQqu4JJ+cKDkZJL9jkAb3KSvtQOUy7RLsEMqOXLnn9HtGDvl2dCG
        d6AlH2LGCG9Sk6uJHSL76uMRyBYtDLCIEaiL+Kup4VyXf9vzAmXn8EHowT+fvVRp
        iUezNHKhAgMBAAECggEAFLPXm7M2O6CPV6Jx+ATXHsD6/pyWOzFHYP69IsIEduIk
        chUYB8Xp03/7xMCYBKs5XHqVKjozMe2GyeYzUcwNQyQC3IFqBq9KBq2i7/1hlSM2
        SoX+V5z1aGhfC9vfw8s4i7gOyQYdNtVInLVEb8ai1DP4T2agzn6/ufp0ezOWwxRV
        j6JuwUu6bf2sYumV/eJyvXEpeVqnazF9a1On4HIcxju7RSDUB7JfoWgU2GDn92uw
        8dMvRTTmDtwMYu1XcQWBwdwuASFRaDFRBL26vs5pTvEYdfXnm+sOnM9F+9f3frja
        rZQqMPE7Os8xXfA39O6OvLpGeRRvtfgFz5K4XSymIQKBgQDlSQZMN8HeKFZwzzfi
        Otr+1fpaLA5mj0A9bWSJUPAr11TjkWSgZTeHrX3k/Z5Ximk9IGf9NCuTRTi0nw0M
        F4rQSZNDvOccNcw8r9YyzjEQzkKF+PjrjhC79bEhHAhg8oH7lWUeKd2MNjs62b+g
        IsNqcIMI3I59+uij0Q4GTn+eKQKBgQC+XoUnqtXrvkQOzNTWmxdOhNsHBUF+WNii
        IpC0csLwlDD4SL6sQN1bkn9kp75SuyNTtvGOAbdeyRSPJC1ktjmCEJA8PS22ZFkC
        8FPAOg1xHTDiB4I3pWNX5GbNtvPtLxPnIv/vWSH8XjnCKD/82aO0NwEGj2DInKbi
        suBvWljPuQKBgFNzgaxJ+vDNw7Bpa1CW1VA9N1KMiG1BpEL3RslHwTJjvEzbhUFv
        tYdXWOP4fyIjiWwrGE4rJ9UBM8NhxFDrXKW0sbnMzl0RI5XO9eol6+vO9p1mYcry
        ORsAMIj5d/85JKAZ3uTcnftDXclsqXcyT+e0rayTAfXOVdAR7cXT2lUJAoGASdnB
        LjJH6rxVCqjLqLVhxUQk9ARF9A3jfIKMQHSEy2+xz5/o2EoRlYSvhwzL+KxAeClw
        a/aefFblcuJF+dv3U025pqTVJvymy00QMHJU5Jy+afEfwxaWA3LHruZampi4z+H0
        B5Y8aPrkzT1wFVcY+sCb1T+p/ClJVIiwKIKUEYECgYEAyvH+xl4SjbGDi0+ij93c
        byqgucp4fjVmfPGbIvl45i8UgPesUif0qpr4wHX39eMnkJNx5JjlaBykmip5fzUG
        qwbra4hpaa76yL+mGDP41WSI1KTuMGqho/ENmnaQNxHBGKzN8a9iWuWbsxP3snzU
        MznTyWcMT7lEIqkMZRe4up4=
        -----END PRIVATE KEY-----
        """
    static let spkiRSA = """
        -----BEGIN PUBLIC KEY-----
        MIIBIjANBgkqhkiG9w0BAQEFAAOCAQ8AMIIBCgKCAQEAqoDav1jGAbsGS7D5ubuL
        dsMbxDaGTnL3DJlEM8SWZVNhqXpE5+LXG6UPvTmP/UX05Df3Rovkh7hYpQEVsv6q
        tHzSvG8SMiHmGfN5IKXLi8KJAeQiu1+AAPVA4UpRm15y2SQQUDLm68vt++kRGaic
        cSN8JLR8R7oRTJa0DK124H+DMWm3ygeneAkQ4UvzawIqm1EjcOsH87EcEeYQKltO
        vxZGLCUKruCSfnCg5GSS/Y5AG9ykr7UDlMu0S7BDKjly55/R7Rg75dnQhnegJR9i
        xghvUpOriR0i++rjEcgWLQywiBGoi/irqeFcl3/b8wJl5/BB6ME/n71UaYlHszRy
        oQIDAQAB
        -----END PUBLIC KEY-----
        """
    static let pkcs1PublicRSA = """
        -----BEGIN RSA PUBLIC KEY-----
        MIIBCgKCAQEAqoDav1jGAbsGS7D5ubuLdsMbxDaGTnL3DJlEM8SWZVNhqXpE5+LX
        G6UPvTmP/UX05Df3Rovkh7hYpQEVsv6qtHzSvG8SMiHmGfN5IKXLi8KJAeQiu1+A
        APVA4UpRm15y2SQQUDLm68vt++kRGaiccSN8JLR8R7oRTJa0DK124H+DMWm3ygen
        eAkQ4UvzawIqm1EjcOsH87EcEeYQKltOvxZGLCUKruCSfnCg5GSS/Y5AG9ykr7UD
        lMu0S7BDKjly55/R7Rg75dnQhnegJR9ixghvUpOriR0i++rjEcgWLQywiBGoi/ir
        qeFcl3/b8wJl5/BB6ME/n71UaYlHszRyoQIDAQAB
        -----END RSA PUBLIC KEY-----
        """
    static let spkiEd25519 = """
        -----BEGIN PUBLIC KEY-----
        MCowBQYDK2VwAyEAfFyxi091+tVq/VjNqeo0kSfIfMWQVAN79TpVoBJNszA=
        -----END PUBLIC KEY-----
        """
}
