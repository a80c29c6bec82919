// SPDX-License-Identifier: Apache-2.0
import JOSE
import SingleSignOn
import Testing

/// Profiles as they are found in public: other encodings, attributes and document types.
@Suite struct XMLEncodingTests {
    private func read(_ text: String) throws -> PropertyList {
        try PropertyListDocument(Array(text.utf8)).root.propertyList
    }

    private func utf16(_ text: String, bigEndian: Bool, mark: Bool = true) -> [UInt8] {
        ((mark ? "\u{FEFF}" : "") + text).utf16.flatMap { unit in
            let (high, low) = (UInt8(unit >> 8), UInt8(unit & 0xFF))
            return bigEndian ? [high, low] : [low, high]
        }
    }

    private func code(_ bytes: [UInt8]) -> PropertyListError.Code? {
        do throws(PropertyListError) {
            _ = try PropertyListDocument(bytes)
            return nil
        } catch { return error.code }
    }

    @Test(
        "Attributes of plist, and document types of Apple's without a public name",
        arguments: [
            "<plist version=\"1\"><string>x</string></plist>",
            "<plist version='1.0' xmlns='http://www.apple.com/DTDs/PropertyList-1.0.dtd'>"
                + "<string>x</string></plist>",
            "<plist xmlns=\"\" version = \"1.0\" ><string>x</string></plist>",
            "<!DOCTYPE plist SYSTEM \"file://localhost/System/Library/DTDs/PropertyList.dtd\">"
                + "<plist version=\"0.9\"><string>x</string></plist>",
            "<!DOCTYPE plist SYSTEM 'http://www.apple.com/DTDs/PropertyList-1.0.dtd'>"
                + "<plist><string>x</string></plist>",
        ])
    func deployed(text: String) throws {
        #expect(try read(text) == "x")
    }

    @Test("ISO-8859-1 is read where it is declared")
    func latin1() throws {
        let text =
            Array("<?xml version=\"1.0\" encoding=\"ISO-8859-1\"?><plist><string>M".utf8)
            + [0xFC] + Array("ller</string></plist>".utf8)
        #expect(try PropertyListDocument(text).root.string == "Müller")
        #expect(
            code(Array("<plist><string>".utf8) + [0xFC] + Array("</string></plist>".utf8))
                == .notUTF8)
    }

    @Test(
        "UTF-16 is read with a mark, and without one where it is declared",
        arguments: [true, false])
    func utf16(bigEndian: Bool) throws {
        let body = "<plist>\n<string>Müller 🔑</string></plist>"
        let declared = "<?xml version=\"1.0\" encoding=\"UTF-16\"?>" + body
        for bytes in [
            utf16(body, bigEndian: bigEndian), utf16(declared, bigEndian: bigEndian),
            utf16(declared, bigEndian: bigEndian, mark: false),
        ] {
            let document = try PropertyListDocument(bytes)
            #expect(document.root.string == "Müller 🔑")
            #expect(document.place(at: document.root.offset) == .text(line: 2, column: 1))
        }
    }

    @Test("An encoding that is not what the bytes are is refused")
    func contradictions() {
        let utf8 = "<?xml version=\"1.0\" encoding=\"UTF-8\"?><plist><true/></plist>"
        #expect(code(utf16(utf8, bigEndian: true)) == .encoding)
        #expect(code(utf16(utf8, bigEndian: false, mark: false)) == .encoding)
        let wrongOrder = utf8.replacing("UTF-8", with: "UTF-16LE")
        #expect(code(utf16(wrongOrder, bigEndian: true)) == .encoding)
        #expect(
            code([0xEF, 0xBB, 0xBF] + Array(utf8.replacing("UTF-8", with: "UTF-16").utf8))
                == .encoding)
        #expect(
            code(utf16("<?a?><plist><true/></plist>", bigEndian: true, mark: false)) == .encoding)
        #expect(code([0xFF, 0xFE, 0, 0, 0x3C, 0, 0, 0]) == .encoding)
        #expect(
            code(utf16("<plist><string>", bigEndian: true) + [0xD8, 0x00, 0x00, 0x3C]) == .encoding)
        #expect(code(utf16("<plist><true/></plist>", bigEndian: true) + [0]) == .encoding)
    }

    @Test("An entity bomb and an external entity are refused in every encoding")
    func entities() {
        let bomb =
            "<!DOCTYPE plist SYSTEM \"PropertyList.dtd\" [<!ENTITY a \"b\">]><plist><true/></plist>"
        #expect(code(Array(bomb.utf8)) == .documentType)
        #expect(code(utf16(bomb, bigEndian: true)) == .documentType)
        let fetched = "<!DOCTYPE plist SYSTEM \"http://evil.example/x.dtd\"><plist><true/></plist>"
        #expect(code(utf16(fetched, bigEndian: false)) == .documentType)
    }

    @Test("inspect profile names the place in a file of UTF-16")
    func places() {
        let verdict = ProfileInspection.verdict(
            on: utf16("<plist>\n<string>ä</dict></plist>", bigEndian: false))
        #expect(verdict["code"]?.string == "plist_syntax")
        #expect(verdict["reason"]?.string?.hasSuffix("(2:10)") == true)
    }
}
