// SPDX-License-Identifier: Apache-2.0
import JOSE
import ProviderAdministration
import ProviderSettings
import Testing

@Suite struct StateParserTests {
    private func problems(_ text: String) throws -> [LocatedValidationIssue] {
        let document = try JSONParser.parse(Array(text.utf8), maximumBytes: 100_000)
        do throws(StateDocumentError) {
            _ = try StateParser.parse(document)
            return []
        } catch {
            return error.problems
        }
    }

    private func client(_ members: String) -> String {
        #"{"projects":[{"name":"default","clients":[{"client_id":"a",\#(members)}]}]}"#
    }

    private func user(_ members: String) -> String {
        #"{"projects":[{"name":"default","users":[{"username":"anna",\#(members)}]}]}"#
    }

    @Test("The contract's example is accepted")
    func example() throws {
        let text = #"""
            {"projects":[{"name":"default","environment":"development",
            "clients":[{"client_id":"shop","client_name":"Shop",
            "client_secret":"a-long-machine-made-secret",
            "token_endpoint_auth_method":"client_secret_basic",
            "grant_types":["authorization_code","refresh_token","client_credentials"],
            "redirect_uris":["http://localhost:9001/callback"],
            "post_logout_redirect_uris":["http://localhost:9001/"],
            "scope":"openid profile email offline_access"}],
            "users":[{"username":"anna","name":"Anna Johnson","email":"anna@example.com",
            "email_verified":true,"password":"correct horse battery staple","groups":["staff"]}]}]}
            """#
        #expect(try problems(text).isEmpty)
    }

    @Test("An empty document wants nothing")
    func empty() throws {
        #expect(try problems("{}").isEmpty)
        #expect(try problems(#"{"projects":null}"#).isEmpty)
    }

    @Test("An unknown key is refused at its location, with a suggestion")
    func unknownKeys() throws {
        let found = try problems(client(#""redirect_uri":["https://a.example/cb"]"#))
        #expect(found.first?.path == "projects[0].clients[0].redirect_uri")
        #expect(found.first?.message.contains("redirect_uris") == true)
    }

    @Test(
        "Shapes are checked",
        arguments: [
            "[]", #""x""#, #"{"projects":{}}"#, #"{"projects":[1]}"#, #"{"project":[]}"#,
            #"{"projects":[{}]}"#, #"{"projects":[{"name":1}]}"#,
            #"{"projects":[{"name":"a","clients":{}}]}"#,
            #"{"projects":[{"name":"a","theme":[]}]}"#,
            #"{"projects":[{"name":"a","policy":{"code_lifetime":"60"}}]}"#,
            #"{"projects":[{"name":"a","policy":{"code_lifetime":0}}]}"#,
            #"{"projects":[{"name":"a","policy":{"self_registration":1}}]}"#,
            #"{"projects":[{"name":"a","environment":"test"}]}"#,
            #"{"projects":[{"name":"a","theme":{"accent":"red"}}]}"#,
            #"{"projects":[{"name":"a"},{"name":"a"}]}"#,
        ])
    func shapes(text: String) throws {
        #expect(try !problems(text).isEmpty)
    }

    @Test(
        "Names of projects are safe in addresses",
        arguments: [
            "", "A", "a b", "a/b", "-a", "a-", "ä", "..", String(repeating: "a", count: 64),
        ])
    func projectNames(name: String) throws {
        #expect(try !problems(#"{"projects":[{"name":"\#(name)"}]}"#).isEmpty)
    }

    @Test(
        "A redirect address must be absolute, without fragment, and safe",
        arguments: [
            "/callback", "callback", "https://a.example/cb#x", "http://a.example/cb",
            "javascript:alert(1)", "data:text/html,x", "https://", "https://a b.example/",
            "https://u:p@a.example/", "myapp:/cb", "*", "https://*.example/cb",
        ])
    func redirects(address: String) throws {
        #expect(try !problems(client(#""redirect_uris":["\#(address)"]"#)).isEmpty)
    }

    @Test(
        "Good redirect addresses are taken",
        arguments: [
            "https://a.example/cb", "http://localhost:9001/callback", "http://127.0.0.1/cb",
            "http://[::1]:1234/cb", "com.example.app:/callback",
        ])
    func goodRedirects(address: String) throws {
        #expect(
            try problems(client(#""redirect_uris":["\#(address)"],"client_secret":"s""#)).isEmpty)
    }

    @Test(
        "Keys of a client that do not go together are refused",
        arguments: [
            (#""grant_types":["authorization_code"]"#, "redirect_uris"),
            (
                #""grant_types":["client_credentials"],"token_endpoint_auth_method":"none""#,
                "token_endpoint_auth_method"
            ),
            (
                #""redirect_uris":["https://a.example/"],"client_secret":"x","#
                    + #""token_endpoint_auth_method":"none""#, "client_secret"
            ),
            (
                #""redirect_uris":["https://a.example/"],"#
                    + #""token_endpoint_auth_method":"private_key_jwt""#, "jwks"
            ),
        ])
    func together(members: String, key: String) throws {
        #expect(try problems(client(members)).map(\.path) == ["projects[0].clients[0].\(key)"])
    }

    @Test(
        "Values of a client are checked",
        arguments: [
            #""grant_types":["password"]"#, #""response_types":["token"]"#,
            #""token_endpoint_auth_method":"client_secret_jwt""#, #""scope":"a  b""#,
            #""scope":"ä""#, #""id_token_signed_response_alg":"none""#, #""jwks":{}"#,
            #""jwks":{"keys":[{"kty":"EC","d":"x"}]}"#, #""jwks":{"keys":[{"kty":"oct","k":"x"}]}"#,
            #""default_max_age":-1"#, #""first_party":"yes""#, #""client_name":"a\u0000b""#,
            #""client_secret":"""#, #""client_secret":1"#, #""client_secret_file":"x""#,
            #""client_secret_env":"X""#, #""access":"staff""#, #""access":{"group":["staff"]}"#,
            #""access":{"groups":"staff"}"#, #""required_acr":"strong""#,
            #""id_token_claims":"all""#, #""claims":{}"#, #""claims":[{"claim":"role"}]"#,
            #""claims":[{"claim":"role","in":["id_token"]}]"#,
            #""claims":[{"claim":"role","in":["cookie"],"value":"x"}]"#,
            #""claims":[{"claim":"role","in":["id_token"],"value":{"a":1}}]"#,
            #""claims":[{"claim":"role","in":["id_token"],"value":"x","from_attribute":"y"}]"#,
            #""claims":[{"claim":"a b","in":["id_token"],"value":"x"}]"#,
            #""claims":[{"claim":"a","in":["id_token"],"value":1},{"claim":"a","in":["userinfo"],"value":1}]"#,
        ])
    func clientValues(members: String) throws {
        let text = client(#""redirect_uris":["https://a.example/"],\#(members)"#)
        #expect(try !problems(text).isEmpty)
    }

    @Test(
        "An issue of a list names the object, or its position counted from 1",
        arguments: [
            (#"{"claim":"role","in":["id_token"]}"#, #""role" "#),
            (#"{"claim":"a b","in":["id_token"],"value":1}"#, #""a b" claim must"#),
            (#"{"in":["id_token"],"value":1}"#, "row 2: claim must"),
            ("5", "row 2: must be an object"),
            (
                #"{"claim":"first","in":["userinfo"],"value":1}"#,
                #"row 2: repeats the claim "first""#
            ),
        ])
    func positions(row: String, start: String) throws {
        let first = #"{"claim":"first","in":["id_token"],"value":1}"#
        let text = client(
            #""redirect_uris":["https://a.example/"],"claims":[\#(first),\#(row)]"#)
        let found = try #require(try problems(text).first)
        #expect(found.path == "projects[0].clients[0].claims")
        #expect(found.message.hasPrefix(start), "\(found)")
    }

    @Test(
        "A client's own claims never take the place of the protocol's, nor of what names a person",
        arguments: [
            "iss", "sub", "aud", "exp", "nonce", "acr", "amr", "cnf", "client_id", "scope", "sid",
            "preferred_username", "email", "email_verified", "groups", "name", "entitlements",
        ])
    func reservedClaims(name: String) throws {
        let row = #"{"claim":"\#(name)","in":["id_token"],"value":"x"}"#
        let text = client(#""redirect_uris":["https://a.example/"],"claims":[\#(row)]"#)
        let found = try problems(text)
        #expect(found.contains { $0.message.contains("the provider sets itself") })
    }

    @Test("A scope that a client may not have is an error")
    func forbiddenScopes() throws {
        let redirect = #""redirect_uris":["https://a.example/"],"client_secret":"s","#
        for (members, isRight) in [
            (#""scope":"openid registration""#, false),
            (#""scope":"openid registration","first_party":true"#, true),
            (#""scope":"openid registration","manages_accounts":true"#, true),
            (#""scope":"openid offline_access""#, false),
            (
                #""scope":"openid offline_access","grant_types":["authorization_code","#
                    + #""refresh_token"]"#, true
            ),
        ] {
            let paths = try problems(client(redirect + members)).map(\.path)
            #expect(paths == (isRight ? [] : ["projects[0].clients[0].scope"]), "\(members)")
        }
    }

    @Test("Rules of access and claims are read")
    func readsAccess() throws {
        let text = client(
            #""redirect_uris":["https://a.example/"],"client_secret":"s","required_acr":"phr","#
                + #""access":{"groups":["staff"],"users":["anna"]},"id_token_claims":"minimal","#
                + #""claims":[{"claim":"role","in":["id_token","userinfo"],"#
                + #""from_groups":{"admins":"Admin"},"default":"Viewer"}]"#)
        #expect(try problems(text).isEmpty)
    }

    @Test(
        "Values of a person are checked",
        arguments: [
            #""email":"nobody""#, #""email_verified":"true""#, #""groups":"staff""#,
            #""groups":[""]"#, #""password":"""#, #""password":5"#, #""password_file":"x""#,
            #""attributes":"sales""#, #""attributes":{"a":{"b":1}}"#, #""attributes":{"a":null}"#,
            #""attributes":{"email":"x"}"#, #""attributes":{"a b":[1]}"#,
            #""attributes":{"a":"\#(String(repeating: "x", count: 1100))"}"#,
            #""nickname":true"#, #""website":"javascript:x""#, #""disabled":0"#, #""sub":"x""#,
        ])
    func personValues(members: String) throws {
        #expect(try !problems(user(members)).isEmpty)
    }

    @Test("Attributes of a person are few and small")
    func attributes() throws {
        func attributes(_ count: Int, _ length: Int) -> String {
            let text = String(repeating: "x", count: length)
            return user(
                "\"attributes\":{"
                    + (0..<count).map { "\"a\($0)\":\"\(text)\"" }.joined(separator: ",") + "}")
        }
        #expect(try problems(attributes(50, 100)).isEmpty)
        #expect(try problems(attributes(51, 1)).map(\.path) == ["projects[0].users[0].attributes"])
        #expect(
            try problems(attributes(20, 500)).map(\.path) == ["projects[0].users[0].attributes"])
    }

    @Test("A user name is refused twice, also in another spelling")
    func twice() throws {
        let text =
            #"{"projects":[{"name":"a","users":[{"username":"anna"},{"username":"Anna "}]}]}"#
        #expect(try problems(text).map(\.path) == ["projects[0].users[1]"])
    }

    @Test("Everything that is wrong is said at once, and no secret is repeated")
    func allAtOnce() throws {
        let text = client(#""client_secret":["hunter2-hunter2"],"scope":"a  b","grant_types":[]"#)
        let found = try problems(text)
        #expect(found.count == 2)
        #expect(!found.contains { $0.message.contains("hunter2") })
    }
}
