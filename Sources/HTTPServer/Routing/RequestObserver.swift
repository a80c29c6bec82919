// SPDX-License-Identifier: Apache-2.0
package import HTTPTypes

/// Who counts requests: the metrics. `route` is the pattern of a route or `unmatched`, never text
/// of the sender's choosing.
package protocol RequestObserver: Sendable {
    func observe(route: String, method: HTTPRequest.Method, status: Int, duration: Duration)
}
