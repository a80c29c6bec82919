-- SPDX-License-Identifier: Apache-2.0
-- Refresh with rotation. Every request in flight holds a family of its own: a token is taken from
-- the pool when it is sent, and its successor is put back when the answer comes.
-- Arguments: Authorization header, file with one refresh token per line, number of threads.
local report = require("report")
setup, done = report.setup, report.done
good, bad = 0, ""
local pool, path = {}, ""

function init(args)
    wrk.headers["Authorization"] = args[1]
    wrk.headers["Content-Type"] = "application/x-www-form-urlencoded"
    path = wrk.path
    local line, threads = 0, tonumber(args[3])
    for token in io.lines(args[2]) do
        line = line + 1
        if line % threads == number % threads then table.insert(pool, token) end
    end
end

function request()
    local token = table.remove(pool) or "none-left"
    return wrk.format("POST", path, nil, "grant_type=refresh_token&refresh_token=" .. token)
end

function response(status, headers, body)
    local successor = status == 200 and body:match('"refresh_token"%s*:%s*"([^"]+)"')
    if successor then
        good = good + 1
        table.insert(pool, 1, successor)
    else
        bad = status .. " " .. body
    end
end
