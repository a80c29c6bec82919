// SPDX-License-Identifier: Apache-2.0
import JOSE
import Primitives
import ProviderSettings
import Storage

extension StateParser {
    mutating func administrators(_ document: JSONValue) -> [DesiredAdministrator] {
        guard let object = document.object else { return [] }
        var seen: Set<String> = []
        var administrators: [DesiredAdministrator] = []
        for (index, value) in cursor.list(object["administrators"], at: "administrators")
            .enumerated()
        {
            let path = "administrators[\(index)]"
            guard let administrator = administrator(value, at: path) else { continue }
            let key = "\(administrator.username)\u{0}\(administrator.project ?? "")"
            if !seen.insert(key).inserted {
                cursor.refuse(path, ValidationIssue(.roleTwice))
            }
            administrators.append(administrator)
        }
        return administrators
    }

    private mutating func administrator(
        _ value: JSONValue, at path: String
    ) -> DesiredAdministrator? {
        guard let object = cursor.object(value, at: path) else { return nil }
        var nothing: Void = ()
        cursor.read(
            object, at: path, into: &nothing, fields: [], others: ["username", "role", "project"])
        let roles = TextRules.oneOf(Administrator.Role.allCases.map(\.rawValue))
        guard let typed = name(object, "username", at: path, rule: TextRules.username),
            let username = UserName.canonical(typed),
            let role = name(object, "role", at: path, rule: roles)
                .flatMap(Administrator.Role.init)
        else { return nil }
        var project: String?
        if object["project"] != nil {
            project = name(object, "project", at: path, rule: TextRules.projectName)
            guard project != nil else { return nil }
        }
        guard role != .owner || project == nil else {
            cursor.refuse("\(path).project", ValidationIssue(.ownerEverywhere))
            return nil
        }
        return DesiredAdministrator(username: username, role: role, project: project)
    }
}
