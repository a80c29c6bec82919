-- SPDX-License-Identifier: Apache-2.0
-- Each line of a file is the body of one POST and is sent once: what may be used once only.
-- Arguments: content type, file, number of threads, text that a right answer holds.
local report = require("report")
setup, done = report.setup, report.done
good, bad = 0, ""
local lines, path = {}, ""

function init(args)
    wrk.headers["Content-Type"] = args[1]
    path = wrk.path
    local line, threads = 0, tonumber(args[3])
    for body in io.lines(args[2]) do
        line = line + 1
        if line % threads == number % threads then table.insert(lines, body) end
    end
    expected = args[4]
end

function request()
    return wrk.format("POST", path, nil, table.remove(lines) or "none-left")
end

function response(status, headers, body)
    if (status == 200 or status == 201) and body:find(expected, 1, true) then
        good = good + 1
    else
        bad = status .. " " .. body
    end
end
