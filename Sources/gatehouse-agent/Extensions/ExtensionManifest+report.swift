// SPDX-License-Identifier: Apache-2.0
import JOSE
import SSOExtensions

extension ExtensionManifest {
    /// What people and scripts are told of an extension.
    var report: JSONObject {
        var report = JSONObject()
        report["identifier"] = .string(identifier)
        report["team"] = .string(team)
        report["name"] = .string(displayName)
        report["version"] = .string(extensionVersion)
        let names = Capability.allCases.filter(capabilities.contains).map(\.rawValue)
        report["capabilities"] = .array(names.map { .string($0) })
        return report
    }
}
