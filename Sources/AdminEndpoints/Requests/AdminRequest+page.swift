// SPDX-License-Identifier: Apache-2.0
import HTTPServer
import JOSE
import ProviderAdministration

extension AdminRequest {
    /// Answers with the page of a list that the query names.
    func page<Element>(
        of list: AdministrativeList<Element>, json: (Element) -> JSONValue
    ) async throws -> AdminResponse {
        let limit = query["limit"].map { Int($0) ?? 0 }
        guard limit.map((1...200).contains) ?? true else {
            return .refused(
                AdministrativeRefusal(
                    .malformed, "invalid_limit", "limit must be a number from 1 to 200."))
        }
        return AdminResponse(try await list.page(limit: limit, from: query["cursor"])) { page in
            var object = JSONObject()
            object["items"] = .array(page.items.map(json))
            object["next"] = page.next.map(JSONValue.string)
            return .value(.object(object))
        }
    }
}
