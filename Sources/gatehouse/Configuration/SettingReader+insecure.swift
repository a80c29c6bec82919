// SPDX-License-Identifier: Apache-2.0
import ProviderCore

extension SettingReader {
    /// Passwords and tokens in the clear on a network are asked for, or there are none.
    func refusePlainHTTP(
        issuer: String, listen: ServeConfiguration.Address, hasTLS: Bool
    ) throws(ConfigurationError) {
        guard !flag("insecure-http"), !IssuerAddress(issuer).isHTTPS else { return }
        let setting: String
        if !IssuerAddress(issuer).isLoopback {
            setting = "issuer"
        } else if !hasTLS, !IssuerAddress.isLoopback(host: listen.host) {
            setting = "listen"
        } else {
            return
        }
        let value = setting == "issuer" ? issuer : "\(listen.host):\(listen.port)"
        throw ConfigurationError(
            values[setting]?.origin,
            "\(setting) is \"\(value)\": passwords would cross a network as plain HTTP. Give an https issuer, with "
                + "tls-certificate and tls-key or behind a proxy that ends TLS; or listen on 127.0.0.1; or say "
                + "insecure-http: true")
    }
}
