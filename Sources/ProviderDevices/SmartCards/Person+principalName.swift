// SPDX-License-Identifier: Apache-2.0
import ProviderSettings
import Storage

extension Person {
    /// Whether a name of a certificate or an assertion is the username, alone or before one of the
    /// domains. A person of another realm has no such name: usernames are unique in a realm only.
    func hasPrincipalName(_ text: String, domains: [String] = []) -> Bool {
        guard let name = UserName.canonical(text), realm.isEmpty else { return false }
        if name == username { return true }
        guard let mark = name.lastIndex(of: "@") else { return false }
        let domain = String(name[name.index(after: mark)...])
        return domains.contains(domain) && name[..<mark] == username
    }
}
