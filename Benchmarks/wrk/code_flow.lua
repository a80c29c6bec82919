-- SPDX-License-Identifier: Apache-2.0
-- The whole flow of authorization code + PKCE from an existing session: GET authorize, take the
-- code from the redirect, POST it to the token endpoint. `good` counts whole flows.
-- Arguments: authorize path with query, Cookie header, token path, Authorization header,
-- token form body without the code.
local report = require("report")
setup, done = report.setup, report.done
good, bad = 0, ""
local codes, authorize, exchange = {}, "", {}

function init(args)
    authorize = wrk.format("GET", args[1], { ["Cookie"] = args[2], ["Host"] = wrk.headers["Host"] })
    exchange = { path = args[3], authorization = args[4], form = args[5] }
end

function request()
    local code = table.remove(codes)
    if not code then return authorize end
    local headers = {
        ["Host"] = wrk.headers["Host"],
        ["Authorization"] = exchange.authorization,
        ["Content-Type"] = "application/x-www-form-urlencoded",
    }
    return wrk.format("POST", exchange.path, headers, exchange.form .. "&code=" .. code)
end

function response(status, headers, body)
    local location = headers["Location"] or headers["location"]
    local code = location and location:match("[?&]code=([^&]+)")
    if code then
        table.insert(codes, code)
    elseif status == 200 and body:find('"access_token"', 1, true) then
        good = good + 1
    else
        bad = status .. " " .. (location or body)
    end
end
