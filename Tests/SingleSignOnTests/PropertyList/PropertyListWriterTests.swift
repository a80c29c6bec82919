// SPDX-License-Identifier: Apache-2.0
import Primitives
import SingleSignOn
import Testing

@Suite struct PropertyListWriterTests {
    private let value: PropertyList = [
        "text": "a & <b> \"c\" \r\n\t ä 😀", "empty": "",
        "numbers": [0, 255, 256, 65_536, -1, .integer(.max), .integer(.min)],
        "reals": [.real(0.1), .real(-1e300)], "truth": [true, false],
        "date": .date(Timestamp(seconds: 1_795_251_600)),
        "data": .data([UInt8](0...255)), "none": [], "nothing": .dictionary([]),
        "again": ["text": "a & <b> \"c\" \r\n\t ä 😀"],
    ]

    @Test("What is written in XML is read back the same")
    func xml() throws {
        let bytes = try XMLPropertyListWriter.bytes(of: value)
        #expect(try PropertyListDocument(bytes).root.propertyList == value)
        #expect(try XMLPropertyListWriter.bytes(of: value) == bytes)
    }

    @Test("What is written in binary is read back the same")
    func binary() throws {
        let bytes = try BinaryPropertyListWriter.bytes(of: value)
        #expect(try PropertyListDocument(bytes).root.propertyList == value)
    }

    @Test("A list of many values is written with wider references")
    func large() throws {
        let values: [PropertyList] = (0..<70_000).map { .integer(Int64($0)) }
        let bytes = try BinaryPropertyListWriter.bytes(of: .array(values))
        #expect(try PropertyListDocument(bytes).root.propertyList == .array(values))
    }

    @Test("XML looks as Apple's tools write it")
    func layout() throws {
        let bytes = try XMLPropertyListWriter.bytes(of: ["a": ["b": true]])
        #expect(
            String(decoding: bytes, as: UTF8.self) == """
                <?xml version="1.0" encoding="UTF-8"?>
                <!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" \
                "http://www.apple.com/DTDs/PropertyList-1.0.dtd">
                <plist version="1.0">
                <dict>
                \t<key>a</key>
                \t<dict>
                \t\t<key>b</key>
                \t\t<true/>
                \t</dict>
                </dict>
                </plist>

                """)
    }

    @Test(
        "What XML cannot carry is refused",
        arguments: [
            PropertyList.string("\u{0}"), .string("\u{1B}"), .string("\u{FFFF}"), .real(.nan),
            .real(.infinity), .date(Timestamp(milliseconds: .max)),
            .date(Timestamp(milliseconds: .min)), ["\u{2}": true],
        ])
    func unwritable(value: PropertyList) {
        #expect(throws: PropertyListError.self) { try XMLPropertyListWriter.bytes(of: value) }
    }

    @Test("A number without a value cannot be written in binary either")
    func unwritableBinary() {
        #expect(throws: PropertyListError.self) {
            try BinaryPropertyListWriter.bytes(of: [.real(.nan)])
        }
    }
}
