// SPDX-License-Identifier: Apache-2.0
import JOSE
import SingleSignOn
import Testing

@Suite struct SiteAssociationTests {
    private func fault(_ text: String) -> SiteAssociation.ParseError? {
        do throws(SiteAssociation.ParseError) {
            _ = try SiteAssociation(Array(text.utf8))
            return nil
        } catch {
            return error
        }
    }

    @Test("Apps are read by service, and other services are left alone")
    func services() throws {
        let file = try SiteAssociation(
            Array(
                """
                {"authsrv":{"apps":["T.com.a","T.com.a.ext"]},"webcredentials":{"apps":["T.com.b"]},
                 "applinks":{"details":[]}}
                """.utf8))
        #expect(file.names("T.com.a", for: .authsrv))
        #expect(!file.names("T.com.b", for: .authsrv))
        #expect(!file.names("T.COM.A", for: .authsrv))
        #expect(file.names("T.com.b", for: .webcredentials))
        #expect(file.apps(for: .authsrv) == ["T.com.a", "T.com.a.ext"])
        #expect(!file.names("T.com.a", for: .applinks))
        #expect(file.lists(.webcredentials) && !file.lists(.applinks))
        #expect(try SiteAssociation(Array("{}".utf8)).apps(for: .authsrv) == [])
    }

    @Test("What is no such file is refused, and why")
    func refusals() {
        #expect(fault("") == .notJSON(.unexpectedEnd))
        #expect(fault("[]") == .notAnObject)
        #expect(fault("<html>")?.code == "json_unexpected_byte")
        #expect(fault("{\"authsrv\":[]}") == .malformedService(.authsrv))
        #expect(fault("{\"authsrv\":{}}") == .malformedService(.authsrv))
        #expect(fault("{\"authsrv\":{\"apps\":\"T.a\"}}") == .malformedService(.authsrv))
        #expect(fault("{\"authsrv\":{\"apps\":[1]}}") == .malformedService(.authsrv))
        #expect(
            fault("{\"webcredentials\":{\"apps\":null}}")?.code
                == "association_malformed_webcredentials")
        #expect(
            fault("{\"authsrv\":{\"apps\":[]},\"authsrv\":{\"apps\":[\"T.a\"]}}")
                == .notJSON(.duplicateName(offset: 23)))
        #expect(fault(String(repeating: "[", count: 1000)) == .notJSON(.tooDeep))
    }

    @Test("What is wrong with a service that is not asked for does not matter")
    func otherServices() throws {
        let bytes = Array("{\"authsrv\":3,\"webcredentials\":{\"apps\":[\"T.com.b\"]}}".utf8)
        let file = try SiteAssociation(bytes, for: [.webcredentials])
        #expect(file.names("T.com.b", for: .webcredentials) && !file.lists(.authsrv))
        #expect(throws: SiteAssociation.ParseError.malformedService(.authsrv)) {
            try SiteAssociation(bytes)
        }
    }

    @Test("128 KiB are read, one byte more is not")
    func length() {
        let padding = String(repeating: " ", count: SiteAssociation.greatestLength - 2)
        #expect(fault("{}" + padding) == nil)
        #expect(fault("{}" + padding + " ") == .tooLong)
    }

    @Test("What is written is read back")
    func file() throws {
        let bytes = SiteAssociation.file([(.authsrv, ["T.com.a", "T.com.a.ext"])])
        #expect(
            String(decoding: bytes, as: UTF8.self)
                == "{\"authsrv\":{\"apps\":[\"T.com.a\",\"T.com.a.ext\"]}}")
        #expect(try SiteAssociation(bytes).names("T.com.a", for: .authsrv))
    }
}
