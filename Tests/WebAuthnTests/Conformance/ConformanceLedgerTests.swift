// SPDX-License-Identifier: Apache-2.0
import Foundation
import Testing

/// Every case of the FIDO conformance tests for servers, 1.9.1 (168 of them) and SafetyNet's eight
/// of the previous tool, is the name of exactly one test, or of one of its arguments.
@Suite struct ConformanceLedgerTests {
    private static let registration = "ServerAuthenticatorAttestationResponse-Resp-"
    private static let assertion = "ServerAuthenticatorAssertionResponse-Resp-"

    /// Group, number of the last P, number of the last F. P-3 of Resp-9 is disabled in the tool.
    private static let groups: [(String, Int, Int)] = [
        ("ServerPublicKeyCredentialCreationOptions-Req-1", 4, 0),
        (registration + "1", 1, 15), (registration + "2", 0, 17), (registration + "3", 1, 19),
        (registration + "4", 12, 0), (registration + "5", 5, 14), (registration + "6", 1, 3),
        (registration + "7", 2, 1), (registration + "8", 1, 2), (registration + "9", 4, 4),
        (registration + "A", 1, 3), (registration + "B", 1, 7),
        ("ServerPublicKeyCredentialGetOptionsResponse-Req-1", 2, 0),
        (assertion + "1", 1, 21), (assertion + "2", 0, 17), (assertion + "3", 7, 5),
        ("MDS3", 1, 5),
    ]

    private static let cases: [String] =
        groups.flatMap { group, passes, failures in
            (0..<passes).map { "\(group) P-\($0 + 1)" }
                + (0..<failures).map { "\(group) F-\($0 + 1)" }
        }.filter { $0 != registration + "9 P-3" }

    private static let folder = URL(filePath: #filePath).deletingLastPathComponent()

    /// What tests and their arguments are called: literally, or by the makers of many cases.
    private static func named() throws -> [String] {
        let made =
            ConformanceRegistrationTests.shapeCases.map(\.id)
            + ConformanceRegistrationTests.clientDataCases.map(\.id)
            + ConformanceAssertionTests.shapeCases.map(\.id)
            + ConformanceAssertionTests.clientDataCases.map(\.id)
            + ConformanceAssertionTests.verificationCases.map(\.0)
        let name = #/"(?:Server-)?([A-Za-z]+-Re(?:q|sp)-\w|Resp-\w|MDS3) ([PF]-\d+): /#
        var names = made.map { String($0.dropFirst("Server-".count)) }
        for file in try files() {
            let text = try String(contentsOf: file, encoding: .utf8)
            for match in text.matches(of: name) {
                let group = match.1.replacing(#/^Resp-/#, with: registration)
                names.append("\(group) \(match.2)")
            }
        }
        return names
    }

    private static func files() throws -> [URL] {
        let metadata = folder.deletingLastPathComponent().appending(path: "Metadata")
        return try [folder, metadata].flatMap {
            try FileManager.default.contentsOfDirectory(at: $0, includingPropertiesForKeys: nil)
        }.filter { $0.pathExtension == "swift" && $0.lastPathComponent != "ConformanceCase.swift" }
    }

    @Test("Every case is the name of exactly one test")
    func complete() throws {
        let names = try Self.named()
        #expect(Self.cases.count == 168 + 8)
        #expect(names.count == Set(names).count, "\(names.sorted().adjacentTwins)")
        #expect(Set(Self.cases).subtracting(names).sorted() == [])
        #expect(Set(names).subtracting(Self.cases).sorted() == [])
    }

    // MARK: The list that this one was copied from

    private static let reference = folder.appending(
        path: "../../../../shared/reference/webauthn-ctap.md"
    ).standardizedFileURL

    /// Skipped without a checkout of the reference in the same directory.
    @Test(
        "The list is that of the reference",
        .enabled(if: FileManager.default.fileExists(atPath: reference.path)))
    func sameAsReference() throws {
        let text = try String(contentsOf: Self.reference, encoding: .utf8)
        let section = try #require(text.firstMatch(of: #/### 3\.2 [\s\S]*?\n### /#)).output
        // Text in brackets describes a case and is not a name.
        let list = section.replacing(#/\([^()]*\)/#, with: "")
        var (prefix, found) = ("", [String]())
        for part in list.split(separator: "**").dropFirst() {
            if let name = part.wholeMatch(of: #/…(Resp-\w)/#)?.1 {
                prefix = prefix.replacing(#/Re(q|sp)-\w$/#, with: name)
            } else if part.wholeMatch(of: #/Server\w+-Re(q|sp)-\w|MDS3/#) != nil {
                prefix = String(part)
            } else {
                found += Self.numbers(part).map { "\(prefix) \($0)" }
            }
        }
        #expect(Set(found) == Set(Self.cases))
    }

    /// `F-1/2/3` and `F-4..6` written out.
    private static func numbers(_ text: Substring) -> [String] {
        text.matches(of: #/([PF])-(\d+)(\.\.\d+|(?:/\d+)*)/#).flatMap { match in
            let more = match.3.split(whereSeparator: { "./".contains($0) }).compactMap { Int($0) }
            let first = Int(match.2) ?? 0
            let last = match.3.hasPrefix("..") ? more.first ?? first : first
            return (Array(first...max(first, last)) + more).map { "\(match.1)-\($0)" }
        }
    }
}

extension [String] {
    /// The repeated elements of a sorted list.
    fileprivate var adjacentTwins: [String] {
        zip(self, dropFirst()).filter { $0.0 == $0.1 }.map(\.0)
    }
}
