// SPDX-License-Identifier: Apache-2.0
import Primitives
import Synchronization

/// Who is visiting a sample app, by the cookie of their browser. In memory, and bounded: it is a
/// demonstration.
final class DemoVisitors: Sendable {
    struct Visitor: Sendable {
        var pending: OpenIDRelyingParty.Pending?
        var arrival: OpenIDRelyingParty.Arrival?
    }

    private let visitors = Mutex<[String: Visitor]>([:])
    private static let maximumCount = 1000

    subscript(cookie: String?) -> Visitor? {
        cookie.flatMap { cookie in visitors.withLock { $0[cookie] } }
    }

    /// A new cookie for the visitor; the old one is forgotten, so that a cookie that was planted
    /// in a browser is of no use after signing in.
    func replace(
        _ old: String?, with visitor: Visitor, random: any RandomSource
    ) -> String {
        let cookie = Base64URL.encode(random.bytes(32))
        visitors.withLock { visitors in
            if let old { visitors[old] = nil }
            if visitors.count >= Self.maximumCount, let any = visitors.keys.first {
                visitors[any] = nil
            }
            visitors[cookie] = visitor
        }
        return cookie
    }

    func forget(_ cookie: String?) {
        guard let cookie else { return }
        visitors.withLock { $0[cookie] = nil }
    }
}
