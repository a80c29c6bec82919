// SPDX-License-Identifier: Apache-2.0
import HTTPServer
import HTTPTypes
import JOSE
import Primitives
import ProviderAdministration
import ProviderCore
import Storage

/// Where a list goes on: opaque to callers, and of no use in another list or another
/// installation.
struct PageCursor: Sendable {
    private static let tagLength = 16

    let list: String
    let secrets: DerivedKeys

    func encode(_ last: String) -> String {
        Base64URL.encode(tag(of: Array(last.utf8)) + Array(last.utf8))
    }

    /// `nil` for what ``encode(_:)`` did not make.
    func decode(_ cursor: String) -> String? {
        guard cursor.utf8.count <= 2048, let bytes = Base64URL.decode(cursor),
            bytes.count > Self.tagLength
        else { return nil }
        let last = bytes.dropFirst(Self.tagLength)
        guard ConstantTime.equal(bytes.prefix(Self.tagLength), tag(of: Array(last))) else {
            return nil
        }
        return String(validating: last, as: UTF8.self)
    }

    private func tag(of bytes: [UInt8]) -> ArraySlice<UInt8> {
        secrets.hash(Array(list.utf8) + [0] + bytes, for: .cursor).prefix(Self.tagLength)
    }
}

/// How much of a list is wanted, and from where.
struct PageRequest: Sendable {
    var limit: Int
    var after: String?
    private let cursor: PageCursor

    /// `nil` with what to answer instead.
    static func read(
        _ call: AdminRequest, list: String, secrets: DerivedKeys
    ) -> Result<PageRequest, PageRequestError> {
        let cursor = PageCursor(list: list, secrets: secrets)
        var page = PageRequest(limit: 50, after: nil, cursor: cursor)
        if let text = call.query["limit"] {
            guard let limit = Int(text), (1...200).contains(limit) else {
                return .failure(.limit)
            }
            page.limit = limit
        }
        if let text = call.query["cursor"] {
            guard let after = cursor.decode(text) else { return .failure(.cursor) }
            page.after = after
        }
        return .success(page)
    }

    /// The wanted page of a list.
    ///
    /// - Parameters:
    ///   - list: its name; a cursor of one list is of no use in another.
    ///   - read: up to so many elements after the one with that key.
    static func answer<Element>(
        _ call: AdminRequest, list: String, secrets: DerivedKeys,
        read: (_ after: String?, _ limit: Int) async throws -> [Element],
        key: (Element) -> String, json: (Element) -> JSONValue
    ) async throws -> AdminResponse {
        switch Self.read(call, list: list, secrets: secrets) {
        case .failure(let complaint): return complaint.answer
        case .success(let page):
            return page.answer(try await read(page.after, page.limit + 1), key: key, json: json)
        }
    }

    /// The wanted page of a list that was read whole, in order of its keys; all of it when
    /// nothing is said of pages.
    static func answer<Element>(
        _ call: AdminRequest, list: String, secrets: DerivedKeys, all elements: [Element],
        key: (Element) -> String, json: (Element) -> JSONValue
    ) async throws -> AdminResponse {
        let sorted = elements.sorted { key($0) < key($1) }
        guard call.query["limit"] != nil || call.query["cursor"] != nil else {
            return .value(["items": .array(sorted.map(json))])
        }
        return try await answer(
            call, list: list, secrets: secrets,
            read: { after, limit in
                Array(
                    sorted.drop { element in after.map { key(element) <= $0 } ?? false }
                        .prefix(limit))
            }, key: key, json: json)
    }

    /// The wanted page of the records, or of those that a search finds: by the first of the names
    /// for which there is a record. Its next pages are by the same name.
    static func answer<Records: SearchableRecords>(
        _ call: AdminRequest, list: String, secrets: DerivedKeys, of records: Records,
        by names: [Records.Record.SearchName], json: (Records.Record) -> JSONValue
    ) async throws -> AdminResponse {
        guard !call.search.isEmpty else {
            return try await answer(
                call, list: list, secrets: secrets,
                read: { try await records.page(after: $0.flatMap { Identifier($0) }, limit: $1) },
                key: \.id.description, json: json)
        }
        let page: PageRequest
        switch Self.read(call, list: "\(list)/\(call.search)", secrets: secrets) {
        case .failure(let complaint): return complaint.answer
        case .success(let wanted): page = wanted
        }
        let place = page.after.flatMap { SearchCursor<Records.Record>($0) }
        for name in place.map({ [$0.by] }) ?? names {
            let found = try await records.page(
                by: name, startingWith: call.search, after: place, limit: page.limit + 1)
            if found.isEmpty { continue }
            return page.answer(found, key: { SearchCursor($0, by: name).key }, json: json)
        }
        return .value(["items": []])
    }

    /// - Parameters:
    ///   - found: up to one more than ``limit``, read to learn whether there is more.
    func answer<Element>(
        _ found: [Element], key: (Element) -> String, json: (Element) -> JSONValue
    ) -> AdminResponse {
        let page = found.prefix(limit)
        var object = JSONObject()
        object["items"] = .array(page.map(json))
        if found.count > limit, let last = page.last {
            object["next"] = .string(cursor.encode(key(last)))
        }
        return .value(.object(object))
    }
}

enum PageRequestError: Error {
    case limit, cursor

    var answer: AdminResponse {
        switch self {
        case .limit:
            .refused(.badRequest, code: "invalid_limit", "limit must be a number from 1 to 200.")
        case .cursor:
            .refused(
                .badRequest, code: "invalid_cursor",
                "cursor must be the `next` of an earlier page of the same list.")
        }
    }
}
