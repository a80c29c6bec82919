// SPDX-License-Identifier: Apache-2.0
import ProviderDevices
import Testing

@Suite("Names of certificates as directories spell them")
struct CertificateNameTextTests {
    private func canonical(_ name: String) -> String { CertificateNameText.canonical(name) }

    @Test(
        "One name in two spellings",
        arguments: [
            (
                "X509:<I>DC=com,DC=contoso,CN=CA<SR>1200AC11",
                "x509:<i>dc=com, dc=contoso, cn=ca<sr>1200ac11"
            ),
            ("X509:<I>C=DE,S=Bayern,CN=CA<SR>01", "X509:<I>C=DE,ST=Bayern,CN=CA<SR>01"),
            ("X509:<I>CN=CA<S>S=Bayern", "X509:<I>CN=CA<S>ST=Bayern"),
            ("X509:<I>S=Bayern<S>SP=Bayern", "X509:<I>ST=Bayern<S>ST=Bayern"),
            ("X509:<I>CN=CA<S>SERIALNUMBER=42,CN=A", "X509:<I>CN=CA<S>2.5.4.5=42,CN=A"),
            ("X509:<I>CN=CA<S>OID.2.5.4.5=42", "X509:<I>CN=CA<S>2.5.4.5=42"),
            (
                "X509:<I>CN=CA<S>G=Anna,SN=B,T=Dr",
                "X509:<I>CN=CA<S>2.5.4.42=Anna,2.5.4.4=B,2.5.4.12=Dr"
            ),
            (
                "X509:<I>CN=CA<S>OID.0.9.2342.19200300.100.1.1=anna",
                "X509:<I>CN=CA<S>UID=anna"
            ),
            ("X509:<I>CN=CA<S>E=a@x.org", "X509:<I>CN=CA<S>emailAddress=a@x.org"),
            (#"X509:<I>O="Maker, Inc.",CN=CA<SR>01"#, #"X509:<I>O=Maker\, Inc.,CN=CA<SR>01"#),
            (#"X509:<I>CN=CA<S>O="A<S>B""#, #"X509:<I>CN=CA<S>O=A\<S\>B"#),
            // Several attributes that make one part of a name.
            ("X509:<I>CN=CA<S>CN=A + S=B + SN=C", "X509:<I>CN=CA<S>CN=A+ST=B+2.5.4.4=C"),
            ("X509:<RFC822>Anna@X.org", "x509:<rfc822>anna@x.org"),
            ("PlatformSSO:Anna, B@x.org", "platformsso:anna,b@x.org"),
        ])
    func same(left: String, right: String) { #expect(canonical(left) == canonical(right)) }

    @Test(
        "Two names",
        arguments: [
            ("X509:<I>CN=CA<SR>01", "X509:<I>CN=CA<SR>10"),
            ("X509:<I>CN=CA<S>CN=A", "X509:<I>CN=CA<S>O=A"),
            ("X509:<I>CN=CA<S>CN=A,O=B", "X509:<I>CN=CA<S>O=B,CN=A"),
            ("X509:<I>CN=CA<S>CN=s=x", "X509:<I>CN=CA<S>CN=st=x"),
            // One attribute with a comma in it is not two attributes.
            (#"X509:<I>CN=CA<S>O="A,CN=B""#, "X509:<I>CN=CA<S>O=A,CN=B"),
            (#"X509:<I>CN=CA<S>O=A\,CN=B"#, "X509:<I>CN=CA<S>O=A,CN=B"),
            (#"X509:<I>CN=CA<S>O=A\"B"#, "X509:<I>CN=CA<S>O=AB"),
            (#"X509:<I>CN=CA<S>O=A\,S=B"#, #"X509:<I>CN=CA<S>O=A\,ST=B"#),
            (#"X509:<I>CN=CA<S>O=A\+S=B"#, #"X509:<I>CN=CA<S>O=A\+ST=B"#),
            ("X509:<I>CN=CA<S>O=A+S=B", "X509:<I>CN=CA<S>O=A,S=B"),
            // Addresses and principal names come as the certificate has them.
            (#"PlatformSSO:an"na@x.org"#, "PlatformSSO:anna@x.org"),
            (#"PlatformSSO:"anna"@x.org"#, "PlatformSSO:anna@x.org"),
            ("PlatformSSO:a,s=b@x.org", "PlatformSSO:a,st=b@x.org"),
            ("PlatformSSO:<s>s=b@x.org", "PlatformSSO:<s>st=b@x.org"),
            (#"X509:<RFC822>an"na@x.org"#, "X509:<RFC822>anna@x.org"),
            ("X509:<RFC822>a,s=b@x.org", "X509:<RFC822>a,st=b@x.org"),
            ("PlatformSSO:s=a@x.org", "PlatformSSO:st=a@x.org"),
            ("X509:<RFC822>s=a@x.org", "X509:<RFC822>st=a@x.org"),
        ])
    func different(left: String, right: String) { #expect(canonical(left) != canonical(right)) }
}
