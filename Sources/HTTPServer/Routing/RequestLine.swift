// SPDX-License-Identifier: Apache-2.0
import HTTPTypes

/// What the first line of a request says, and which route that is.
package struct RequestLine: Sendable {
    let method: HTTPRequest.Method
    let target: RequestTarget
    let match: RouteTable.Match

    init(_ method: HTTPRequest.Method, _ target: RequestTarget, _ routes: RouteTable) {
        self.method = method
        self.target = target
        match = routes.match(method, path: target.path)
    }

    /// The most bytes of a body that are of use here.
    var bodyLimit: Int {
        if case .found(let route, _) = match { route.bodyLimit } else { 0 }
    }
}
