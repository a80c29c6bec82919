// SPDX-License-Identifier: Apache-2.0
import PublicSuffix
import Testing

/// Cases of the list's own test file (https://publicsuffix.org/, CC0), turned from registrable
/// domains to suffixes.
@Suite struct PublicSuffixListTests {
    @Test(
        "the public suffix is the one of the list's own test cases",
        arguments: [
            ("com", "com"), ("example.com", "com"), ("a.b.example.com", "com"),
            ("example.example", "example"), ("b.domain.biz", "biz"), ("uk.com", "uk.com"),
            ("a.b.example.uk.com", "uk.com"), ("test.ac", "ac"), ("c.mm", "c.mm"),
            ("b.c.mm", "c.mm"), ("test.ac.jp", "ac.jp"), ("kyoto.jp", "kyoto.jp"),
            ("test.ide.kyoto.jp", "ide.kyoto.jp"), ("c.kobe.jp", "c.kobe.jp"),
            ("b.c.kobe.jp", "c.kobe.jp"), ("city.kobe.jp", "kobe.jp"),
            ("www.city.kobe.jp", "kobe.jp"), ("test.ck", "test.ck"), ("b.test.ck", "test.ck"),
            ("www.ck", "ck"), ("www.www.ck", "ck"), ("test.k12.ak.us", "k12.ak.us"),
            ("xn--85x722f.xn--55qx5d.cn", "xn--55qx5d.cn"), ("localhost", "localhost"),
            ("b.example.unknowntld", "unknowntld"),
        ])
    func suffix(domain: String, suffix: String) {
        #expect(PublicSuffixList.vendored.publicSuffix(of: domain) == suffix[...])
    }

    @Test(
        "the label that names a site is the one before its public suffix",
        arguments: [
            ("example.com", "example"), ("login.example.com", "example"),
            ("login.example.co.uk", "example"), ("a.b.c.kobe.jp", "b"),
            ("www.city.kobe.jp", "city"), ("me.github.io", "me"), ("b.unknowntld", "b"),
            ("com", nil), ("co.uk", nil), ("github.io", nil), ("localhost", nil),
            ("192.0.2.1", nil), ("[2001:db8::1]", nil), ("", nil), (".", nil), ("..com", nil),
        ] as [(String, String?)])
    func registrableLabel(domain: String, label: String?) {
        #expect(
            PublicSuffixList.vendored.registrableLabel(of: domain).map { String($0) } == label)
    }

    @Test("an empty or dotted name neither traps nor matches a rule")
    func odd() {
        #expect(PublicSuffixList.vendored.publicSuffix(of: "") == "")
        #expect(PublicSuffixList.vendored.publicSuffix(of: ".") == "")
        #expect(PublicSuffixList.vendored.publicSuffix(of: "..com") == "com")
    }
}
