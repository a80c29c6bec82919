// SPDX-License-Identifier: Apache-2.0
import SingleSignOn

extension SSOConfiguration {
    /// `key_stores` in `ExtensionData`: where keys may live, as ``KeyStoreKind`` calls it; `nil` when the
    /// profile does not say.
    var keyStores: [String]? {
        extensionData?.first { $0.name == "key_stores" }.map { entry in
            (entry.value.array ?? [entry.value]).compactMap(\.string)
        }
    }
}
