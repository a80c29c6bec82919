# SPDX-License-Identifier: Apache-2.0
"""Logs somebody in as a login program does, through the PAM of this machine and its modules.

    pam_login.py FOLDER SERVICE USER [session] < PASSWORD

FOLDER is read in the place of /etc/pam.d. Exits 0 when PAM lets them in, or with `session` when it opens
and closes a session for them; else 1. Says what it said.
"""

import ctypes
import sys

PROMPTS, TEXTS, SUCCESS = (1, 2), (3, 4), 0


class Message(ctypes.Structure):
    _fields_ = [("style", ctypes.c_int), ("text", ctypes.c_char_p)]


class Response(ctypes.Structure):
    _fields_ = [("text", ctypes.c_void_p), ("code", ctypes.c_int)]


CALL = ctypes.CFUNCTYPE(
    ctypes.c_int, ctypes.c_int, ctypes.POINTER(ctypes.POINTER(Message)),
    ctypes.POINTER(ctypes.POINTER(Response)), ctypes.c_void_p)


class Conversation(ctypes.Structure):
    _fields_ = [("call", CALL), ("data", ctypes.c_void_p)]


def main():
    folder, service, user = (word.encode() for word in sys.argv[1:4])
    password = sys.stdin.readline().rstrip("\n").encode()
    pam, libc = ctypes.CDLL("libpam.so.0"), ctypes.CDLL(None)
    libc.calloc.restype = libc.strdup.restype = ctypes.c_void_p
    pam.pam_strerror.restype = ctypes.c_char_p
    pam.pam_strerror.argtypes = [ctypes.c_void_p, ctypes.c_int]
    pam.pam_end.argtypes = [ctypes.c_void_p, ctypes.c_int]

    def answer(count, messages, responses, _):
        # PAM frees what it is given.
        given = libc.calloc(count, ctypes.sizeof(Response))
        array = ctypes.cast(given, ctypes.POINTER(Response))
        for index in range(count):
            if messages[index].contents.style in PROMPTS:
                array[index].text = libc.strdup(password)
            elif messages[index].contents.style in TEXTS:
                print("says:", messages[index].contents.text.decode())
        responses[0] = array
        return SUCCESS

    conversation = Conversation(CALL(answer), None)
    handle = ctypes.c_void_p()
    code = pam.pam_start_confdir(
        service, user, ctypes.byref(conversation), folder, ctypes.byref(handle))
    calls = [pam.pam_authenticate]
    if sys.argv[4:] == ["session"]:
        calls = [pam.pam_open_session, pam.pam_close_session]
    for call in calls:
        call.argtypes = [ctypes.c_void_p, ctypes.c_int]
        if code == SUCCESS:
            code = call(handle, 0)
    print(pam.pam_strerror(handle, code).decode())
    pam.pam_end(handle, code)
    return 0 if code == SUCCESS else 1


if __name__ == "__main__":
    sys.exit(main())
