// SPDX-License-Identifier: Apache-2.0

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// A stored JSON document of any form. With it a process keeps the members that it does not know: a
/// concurrent newer version has written them.
enum StoredTree: Codable, Equatable, Sendable {
    case null
    case bool(Bool)
    case integer(Int64)
    case number(Double)
    case text(String)
    case list([StoredTree])
    case object([String: StoredTree])

    init(from decoder: any Decoder) throws {
        let value = try decoder.singleValueContainer()
        if value.decodeNil() {
            self = .null
        } else if let bool = try? value.decode(Bool.self) {
            self = .bool(bool)
        } else if let integer = try? value.decode(Int64.self) {
            self = .integer(integer)
        } else if let number = try? value.decode(Double.self) {
            self = .number(number)
        } else if let text = try? value.decode(String.self) {
            self = .text(text)
        } else if let list = try? value.decode([StoredTree].self) {
            self = .list(list)
        } else {
            self = .object(try value.decode([String: StoredTree].self))
        }
    }

    func encode(to encoder: any Encoder) throws {
        var value = encoder.singleValueContainer()
        switch self {
        case .null: try value.encodeNil()
        case .bool(let bool): try value.encode(bool)
        case .integer(let integer): try value.encode(integer)
        case .number(let number): try value.encode(number)
        case .text(let text): try value.encode(text)
        case .list(let list): try value.encode(list)
        case .object(let members): try value.encode(members)
        }
    }

    /// Returns `new` with the members of `stored` that `known` does not have.
    ///
    /// - Parameters:
    ///   - stored: the document that is replaced.
    ///   - known: what this version reads of it.
    ///   - new: the document that replaces it.
    static func merging(_ stored: StoredTree, known: StoredTree, into new: StoredTree) -> StoredTree
    {
        switch (stored, known, new) {
        case (.object(let stored), .object(let known), .object(var new)):
            for (name, value) in stored {
                if let knownValue = known[name] {
                    new[name] = new[name].map { merging(value, known: knownValue, into: $0) }
                } else if new[name] == nil {
                    new[name] = value
                }
            }
            return .object(new)
        case (.list(let stored), .list(let known), .list(let new)) where stored.count == known.count:
            return .list(
                new.map { entry in
                    guard let index = known.position(of: entry) else { return entry }
                    return merging(stored[index], known: known[index], into: entry)
                })
        default: return new
        }
    }

    /// What identifies an entry of a list.
    fileprivate var identity: StoredTree? {
        guard case .object(let members) = self else { return nil }
        return members["name"] ?? members["id"] ?? members["kid"]
    }
}

extension [StoredTree] {
    /// The position of the entry before it was changed: the same one, or the one of that name.
    fileprivate func position(of entry: StoredTree) -> Int? {
        if let index = firstIndex(of: entry) { return index }
        guard let identity = entry.identity else { return nil }
        return firstIndex { $0.identity == identity }
    }
}
