// SPDX-License-Identifier: Apache-2.0
import Primitives
import ProviderCore
import Storage

/// A list that administrators read page by page.
package struct AdministrativeList<Element: Sendable>: Sendable {
    /// The elements after the one with that key, each with its key.
    package typealias Read =
        @Sendable (_ after: String?, _ limit: Int) async throws -> [(element: Element, key: String)]

    package struct Page: Sendable {
        package let items: [Element]
        /// The cursor of the next page; `nil` for the last page.
        package let next: String?
    }

    private static var defaultLimit: Int { 50 }

    private let cursor: PageCursor
    /// Whether a caller that asks for no page receives all elements.
    private let isShort: Bool
    private let read: Read

    /// - Parameter name: identifies the list and its filter. A cursor of one list is of no use in
    ///   another.
    package init(
        _ name: String, _ caller: AdministrativeCaller, isShort: Bool = false, read: @escaping Read
    ) {
        cursor = PageCursor(list: name, secrets: caller.provider.secrets)
        self.isShort = isShort
        self.read = read
    }

    package init(
        _ name: String, _ caller: AdministrativeCaller,
        key: @escaping @Sendable (Element) -> String,
        read: @escaping @Sendable (_ after: String?, _ limit: Int) async throws -> [Element]
    ) {
        self.init(name, caller) { try await read($0, $1).map { ($0, key($0)) } }
    }

    /// Creates a short list, which is read whole. Its order is that of the keys.
    package init(
        _ name: String, _ caller: AdministrativeCaller, all elements: [Element],
        key: (Element) -> String
    ) {
        let sorted = elements.map { (element: $0, key: key($0)) }.sorted { $0.key < $1.key }
        self.init(name, caller, isShort: true) { after, limit in
            Array(
                sorted.drop { found in after.map { found.key <= $0 } ?? false }.prefix(limit))
        }
    }

    /// - Parameters:
    ///   - limit: `nil` for the usual number.
    ///   - start: the ``Page/next`` of the page before; `nil` for the first page.
    package func page(
        limit: Int? = nil, from start: String? = nil
    ) async throws -> AdministrativeResult<Page> {
        var last: String?
        if let start {
            guard let key = cursor.decode(start) else { return .failure(.invalidCursor) }
            last = key
        }
        let isWhole = isShort && start == nil && limit == nil
        let count = isWhole ? Int.max - 1 : limit ?? Self.defaultLimit
        let found = try await read(last, count + 1)
        let page = found.prefix(count)
        return .success(
            Page(
                items: page.map(\.element),
                next: found.count > count ? page.last.map { cursor.encode($0.key) } : nil))
    }

    /// The first element that fits, on any page.
    package func first(where fits: (Element) -> Bool) async throws -> Element? {
        var last: String?
        repeat {
            let found = try await read(last, 200)
            if let match = found.first(where: { fits($0.element) }) { return match.element }
            last = found.count == 200 ? found.last?.key : nil
        } while last != nil
        return nil
    }
}

extension AdministrativeList where Element: PrefixSearchable {
    /// Creates a list of records, or of those that a search finds: by the first of the names for
    /// which there is a record. The next pages are by the same name.
    ///
    /// - Parameters:
    ///   - text: the beginning of a name; an empty text finds all records.
    ///   - all: reads the records in order of creation.
    ///   - named: reads the records with a name that begins with the text, in order of that name.
    init(
        _ name: String, _ caller: AdministrativeCaller, startingWith text: String,
        by names: [Element.SearchName],
        all: @escaping @Sendable (Identifier<Element>?, Int) async throws -> [Element],
        named:
            @escaping @Sendable (Element.SearchName, SearchCursor<Element>?, Int) async throws ->
            [Element]
    ) {
        guard !text.isEmpty else {
            self.init(name, caller, key: \.id.description) {
                try await all($0.flatMap { Identifier($0) }, $1)
            }
            return
        }
        self.init("\(name)/\(text)", caller) { last, limit in
            let place = last.flatMap { SearchCursor<Element>($0) }
            for name in place.map({ [$0.by] }) ?? names {
                let found = try await named(name, place, limit)
                if !found.isEmpty { return found.map { ($0, SearchCursor($0, by: name).key) } }
            }
            return []
        }
    }
}

extension AdministrativeRefusal {
    static let invalidCursor = AdministrativeRefusal(
        .malformed, "invalid_cursor",
        "cursor must be the `next` of an earlier page of the same list.")
}
