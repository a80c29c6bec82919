// SPDX-License-Identifier: Apache-2.0
import Storage
import StorageSQL
import Support

extension DatabaseStatements {
    init(_ engine: any SQLEngine) {
        self.init(
            change: { _ = try await engine.change($0) },
            text: { statement in
                guard case .text(let text)? = try await engine.query(statement).first?.values.first
                else { return "" }
                return text
            })
    }

    /// - Parameter store: an ``SQLStore``.
    init?(_ store: any ProviderStore) {
        guard let store = store as? SQLStore else { return nil }
        self.init(store.engine)
    }
}
