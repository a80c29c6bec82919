// SPDX-License-Identifier: Apache-2.0
import Primitives
import SingleSignOn
import Testing

@Suite struct XMLPropertyListTests {
    private func read(_ body: String) throws -> PropertyListDocument {
        try PropertyListDocument(Array("<plist version=\"1.0\">\(body)</plist>".utf8))
    }

    private func code(_ text: String) -> PropertyListError.Code? {
        code(Array(text.utf8))
    }

    private func code(_ bytes: [UInt8]) -> PropertyListError.Code? {
        do throws(PropertyListError) {
            _ = try PropertyListDocument(bytes)
            return nil
        } catch {
            return error.code
        }
    }

    @Test("Every type is read")
    func types() throws {
        let document = try read(
            """
            <dict>
              <key>text</key><string>a &amp; b &lt;&#x41;&#66;<![CDATA[<raw>]]></string>
              <key>number</key><integer> -42 </integer>
              <key>hex</key><integer>0x2A</integer>
              <key>real</key><real>1.5e3</real>
              <key>yes</key><true/><key>no</key><false></false>
              <key>when</key><date>2026-11-21T09:00:00Z</date>
              <key>bytes</key><data> AQ ID </data>
              <key>list</key><array><string/><array/></array>
              <!-- a comment --><key>none</key><dict/>
            </dict>
            """)
        let expected: PropertyList = [
            "text": "a & b <AB<raw>", "number": -42, "hex": 42, "real": .real(1500), "yes": true,
            "no": false, "when": .date(Timestamp(seconds: 1_795_251_600)),
            "bytes": .data([1, 2, 3]), "list": ["", []], "none": .dictionary([]),
        ]
        #expect(document.root.propertyList == expected)
        #expect(document.format == .xml)
    }

    @Test("Declaration, mark, comments and Apple's document type may come first")
    func prolog() throws {
        let text = """
            \u{FEFF}<?xml version='1.0' encoding='utf-8'?>
            <!-- made by hand -->
            <!DOCTYPE plist PUBLIC "-//Apple Computer//DTD PLIST 1.0//EN" \
            "http://www.apple.com/DTDs/PropertyList-1.0.dtd">
            <plist version="1.0"><true/></plist>
            <!-- the end -->

            """
        let document = try PropertyListDocument(Array(text.utf8))
        #expect(document.root.propertyList == true)
    }

    @Test("Values have their offsets, in lines and characters")
    func places() throws {
        let document = try read("\n<dict>\n  <key>ä</key> <string>x</string>\n</dict>")
        let member = try #require(document.root.member("ä"))
        #expect(document.place(at: member.offset) == .text(line: 3, column: 3))
        #expect(document.place(at: member.node.offset) == .text(line: 3, column: 16))
        #expect("\(document.place(at: document.root.offset))" == "2:1")
    }

    @Test(
        "What is no property list is refused",
        arguments: [
            ("<plist><string>x</plist>", PropertyListError.Code.syntax),
            ("<plist><string>x", .unexpectedEnd),
            ("<plist><string>x</string>", .unexpectedEnd),
            ("<plist/>", .syntax),
            ("<plist></plist>", .syntax),
            ("<plist><true/><true/></plist>", .syntax),
            ("<plist><true/></plist> more", .trailingBytes),
            ("<plist><true/></plist><plist><true/></plist>", .trailingBytes),
            ("<dict/>", .syntax),
            ("<plist version=\"2.0\"><true/></plist>", .syntax),
            ("<plist lang=\"en\"><true/></plist>", .syntax),
            ("<plist><string lang=\"en\">x</string></plist>", .syntax),
            ("<plist><dict><string>x</string></dict></plist>", .syntax),
            ("<plist><dict><key>a</key></dict></plist>", .syntax),
            ("<plist><dict>text<key>a</key><true/></dict></plist>", .syntax),
            ("<plist><array></dict></plist>", .syntax),
            ("<plist><string><b>x</b></string></plist>", .syntax),
            ("<plist><set/></plist>", .unsupportedType),
            ("<plist><true>x</true></plist>", .value),
            ("<plist><!-- ", .unexpectedEnd),
            ("<plist><string><![CDATA[x</string></plist>", .unexpectedEnd),
            ("<plist><string>\u{1}</string></plist>", .syntax),
            ("<plist><string>\u{FFFE}</string></plist>", .syntax),
            ("< plist><true/></plist>", .syntax),
            ("<?xml version=\"1.1\"?><plist><true/></plist>", .syntax),
            ("<?xml version=\"1.0\" encoding=\"windows-1252\"?><plist><true/></plist>", .encoding),
            ("<?xml version=\"1.0\" encoding=\"UTF-16\"?><plist><true/></plist>", .encoding),
            ("<plist version=\"1\" version=\"1\"><true/></plist>", .syntax),
            ("<plist xmlns=\"&lt;\"><true/></plist>", .syntax),
            ("<plist xmlns=\"x><true/></plist>", .unexpectedEnd),
            ("<plist xmlns><true/></plist>", .syntax),
            ("<!DOCTYPE plist SYSTEM><plist><true/></plist>", .documentType),
            ("<!DOCTYPE plist PUBLIC \"other\"><plist><true/></plist>", .documentType),
            ("<!DOCTYPE html><plist><true/></plist>", .documentType),
            (
                "<!DOCTYPE plist SYSTEM \"http://evil.example/x.dtd\"><plist><true/></plist>",
                .documentType
            ),
            ("", .unknownFormat),
            ("hello", .unknownFormat),
        ])
    func refusals(text: String, code: PropertyListError.Code) {
        #expect(self.code(text) == code)
    }

    @Test(
        "Single values must spell what they say",
        arguments: [
            "<integer></integer>", "<integer>1.5</integer>",
            "<integer>9223372036854775808</integer>",
            "<integer>--1</integer>", "<integer>0x</integer>", "<integer>0x-1</integer>",
            "<integer>1 2</integer>", "<integer/>", "<real>nan</real>", "<real>inf</real>",
            "<real>1e999</real>", "<real>0x1p3</real>", "<date>2026-11-21</date>",
            "<date>2026-02-30T00:00:00Z</date>", "<date>2026-11-21T00:00:00+01:00</date>",
            "<date>2026-11-21T00:00:00.5Z</date>", "<data>A</data>", "<data>AQ</data>",
            "<data>AR==</data>", "<data>A_==</data>",
        ])
    func values(element: String) {
        #expect(code("<plist>\(element)</plist>") == .value)
    }

    @Test(
        "Only the entities of XML, and only numbers of characters, are accepted",
        arguments: [
            "&nbsp;", "&lol;", "&", "&#0;", "&#x110000;", "&#xD800;", "&#;", "&#+65;", "&#x-1;",
            "&#99999999999999;", "&amp",
        ])
    func entities(text: String) {
        #expect(code("<plist><string>\(text)</string></plist>") == .entity)
    }

    @Test("A document type with declarations is refused: an entity cannot grow")
    func entityBomb() {
        let bomb = """
            <?xml version="1.0"?><!DOCTYPE plist [<!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;&a;">]>
            <plist><string>&b;</string></plist>
            """
        #expect(code(bomb) == .documentType)
        #expect(
            code(
                "<!DOCTYPE plist [<!ENTITY x SYSTEM \"file:///etc/passwd\">]><plist><true/></plist>"
            )
                == .documentType)
    }

    @Test("Ten thousand containers inside one another are refused, not followed")
    func depth() {
        let arrays = String(repeating: "<array>", count: 10_000)
        #expect(code("<plist>" + arrays) == .tooDeep)
        let dictionaries = String(repeating: "<dict><key>a</key>", count: 10_000)
        #expect(code("<plist>" + dictionaries) == .tooDeep)
    }

    @Test("More values than a profile has are refused")
    func count() {
        let values = String(repeating: "<true/>", count: 100_001)
        #expect(code("<plist><array>\(values)</array></plist>") == .tooMuch)
    }

    @Test("More bytes than a profile has are refused unread")
    func length() {
        let limit = PropertyListLimits().bytes
        #expect(code("<plist>" + String(repeating: " ", count: limit)) == .tooLarge)
    }

    @Test("A key that occurs twice is refused, at the second occurrence")
    func duplicates() {
        do throws(PropertyListError) {
            _ = try PropertyListDocument(
                Array("<plist><dict><key>a</key><true/><key>a</key><true/></dict></plist>".utf8))
            Issue.record("accepted")
        } catch {
            #expect(error.code == .duplicateKey)
            #expect(error.offset == 32)
        }
    }

    @Test("What is not UTF-8 is refused, where it stops to be")
    func encodings() {
        let bad = Array("<plist><string>".utf8) + [0xC3, 0x28] + Array("</string></plist>".utf8)
        #expect(code(bad) == .notUTF8)
        #expect(code(Array("<plist><string>".utf8) + [0xED, 0xA0, 0x80]) == .notUTF8)
    }

    @Test("Line ends are line feeds, unless they are written as numbers")
    func lineEnds() throws {
        let document = try read("<string>a\r\nb\rc&#13;d</string>")
        #expect(document.root.string == "a\nb\nc\rd")
    }
}
