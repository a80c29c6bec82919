// SPDX-License-Identifier: Apache-2.0
import Primitives
import ProviderAdministration
import ProviderCore
import Storage
import Testing

/// Lists that the Admin API and the console read page by page.
@Suite struct AdministrativeListTests {
    private let caller: AdministrativeCaller
    private let words = (0..<250).map { "word\(1000 + $0)" }

    init() async throws {
        let house = try await PeopleHouse()
        caller = AdministrativeCaller(house.provider, facts: house.facts, rights: nil)
    }

    private func long(_ name: String = "words") -> AdministrativeList<String> {
        let words = words
        return AdministrativeList(name, caller, key: { $0 }) { last, limit in
            Array(words.drop { word in last.map { word <= $0 } ?? false }.prefix(limit))
        }
    }

    private func short() -> AdministrativeList<String> {
        AdministrativeList("words", caller, all: words.reversed(), key: { $0 })
    }

    @Test("a page has fifty elements; its cursor leads to the next one, until the last")
    func pages() async throws {
        var (read, cursor, count) = ([String](), String?.none, 0)
        repeat {
            let page = try await long().page(from: cursor).get()
            read += page.items
            cursor = page.next
            count += 1
        } while cursor != nil
        #expect(read == words && count == 5)
        #expect(try await long().page(limit: 250).get().next == nil)
    }

    @Test("a short list is whole unless a page is asked for, in the order of its keys")
    func whole() async throws {
        #expect(try await short().page().get().items == words)
        let page = try await short().page(limit: 200).get()
        let rest = try await short().page(limit: 200, from: page.next).get()
        #expect(page.items + rest.items == words && rest.next == nil)
    }

    @Test("a cursor of another list, and a text that is no cursor, are refused")
    func cursors() async throws {
        let next = try await long().page().get().next
        for cursor in [try #require(next), "", "word1010"] {
            guard case .failure(let refusal) = try await long("others").page(from: cursor) else {
                Issue.record("accepted: \(cursor)")
                continue
            }
            #expect(refusal.code == "invalid_cursor")
        }
    }

    @Test("an element is found on any page, and a missing one is not")
    func first() async throws {
        let last = try #require(words.last)
        #expect(try await long().first { $0 == last } == last)
        #expect(try await short().first { $0 == last } == last)
        #expect(try await long().first { $0 == "none" } == nil)
    }
}
