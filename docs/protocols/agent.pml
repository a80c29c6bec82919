/* SPDX-License-Identifier: Apache-2.0
 *
 * What the agent of docs/agent.md does between a person, an extension, its disk and a provider, for
 * spin: `Scripts/models` checks it.
 *
 * Who takes part: one agent, which is killed between any two steps and started again. Two calls of
 * the extension, one of which may be left over from before. A person, who begins, gives up and signs
 * in. A provider, which takes a registration token once, knows a device by its key, and ends a family
 * of refresh tokens of which an old one is shown after its grace. A network that loses answers.
 *
 * What is abstract: a key is its number, a registration is one step of the provider, time is a
 * choice. Saving is one step, because the state file is replaced whole.
 *
 * Each BUG_ is a mistake that one could make. `Scripts/models` plants every one of them alone and
 * fails when the check does not find it.
 */

#ifndef TROUBLES
#define TROUBLES 3   /* how much goes wrong in one history */
#endif
#define OPERATIONS 3 /* what the person does, and how often tokens are refreshed */

mtype:phase = { Waiting, Registering, Retrying, Refused, Registered, SigningIn, Binding };
mtype:outcome = { Success, Failed, InterfaceRequired, FailedNoRetry };

/* The disk. */
mtype:phase device = Waiting;
mtype:phase person = Waiting;
byte attempt;       /* number of the last call */
byte keys;          /* of the device; 0 is none */
bit configuration;  /* the login configuration */
byte token;         /* generation of the refresh token; 0 is none */
bit certificate;    /* of the unlock key */
bit planned = 1;    /* the profile is installed */

/* The memory of the agent: gone when it is killed. */
byte live;          /* the call whose answer counts; 0 is none */
bit present;        /* somebody sits there */
bit interface;      /* the call may show something */

/* The provider. */
byte known;         /* the device's key; 0 is none */
bit spent;          /* the registration token */
bit knowsPerson;
byte family;        /* generation that is current; 0 when there is no family */
bit grace;          /* the one before it still counts */

byte made;          /* how many keys were ever made */
byte troubles = TROUBLES;
byte operations = OPERATIONS;
bit asked;          /* the extension has said that it needs an interface */

/* call, about the person */
chan calls = [2] of { byte, bit };
/* call, result, about the person */
chan answers = [4] of { byte, mtype:outcome, bit };

inline trouble() { atomic { troubles > 0 -> troubles-- } }

/* What holds between any two steps: what the provider knows, the disk can prove; whoever is called
 * registered can sign in. */
inline check() {
    assert(!planned || known == 0 || known == keys);
    assert(device != Registered || (configuration && keys != 0 && known == keys));
    assert(person != Registering || device == Registered);
    assert(!interface || asked)
}

/* ---- The extension: one call after the other ---- */

/* One step of the provider: a device by its key, or by a token that was not used. */
inline registerDevice() {
    atomic {
        if
        :: known == key -> result = Success
        :: known != key && known == 0 && !spent -> spent = 1; known = key; result = Success
        :: known != key && (known != 0 || spent) -> result = FailedNoRetry
        fi;
        check()
    }
}

proctype Extension() {
    byte call, key; bit who; mtype:outcome result;
idle:
    atomic { call = 0; key = 0; result = 0; who = 0 };
end:
    calls?call, who;
    if
    :: who -> goto aboutPerson
    :: !who
    fi;
    /* It may need somebody, who is not there. */
    if
    :: atomic { present == 0 && !spent -> result = Success }
    :: atomic { troubles > 0 && live == call && !interface ->
        troubles--; result = InterfaceRequired; goto answering }
    :: atomic { present != 0 || spent -> result = Success }
    fi;
    /* The agent makes the keys, and keeps them before anybody sees them. */
    atomic {
#ifdef BUG_FRESH_KEYS
        if
        :: live == call -> made++; key = made; keys = key
#else
        if
        :: live == call && keys == 0 ->
            made++; key = made;
#ifndef BUG_KEYS_SENT_BEFORE_SAVED
            keys = key
#endif
        :: live == call && keys != 0 -> key = keys
#endif
        :: live != call -> goto idle
        fi };
    /* The request, and its answer, which may be lost. */
    if
    :: registerDevice()
    :: atomic { trouble(); result = Failed; goto answering }
    :: atomic { trouble(); result = FailedNoRetry; goto answering }
    fi;
    if
    :: true
    :: atomic { trouble(); result = Failed; goto answering }
    fi;
#ifdef BUG_KEYS_SENT_BEFORE_SAVED
    atomic {
        if
        :: live == call -> keys = key
        :: live != call
        fi };
#endif
    /* Only the call that counts can save. */
    atomic {
        if
#ifdef BUG_ANSWERED_BEFORE_SAVED
        :: result == Success && live == call -> answers!call, result, who; call = 0
#else
        :: result == Success && live == call -> configuration = 1
#endif
        :: result != Success || live != call
        fi };
    goto answering;

aboutPerson:
    if
    :: atomic { known == keys && keys != 0 && live == call ->
        knowsPerson = 1; result = Success }
    :: atomic { troubles > 0 && live == call && !interface ->
        troubles--; result = InterfaceRequired }
    :: atomic { trouble(); result = Failed }
    :: atomic { live != call -> goto idle }
    fi;

answering:
    atomic {
        if
        :: call == 0 -> configuration = 1
        :: call != 0 -> answers!call, result, who
        fi };
    goto idle
}

/* ---- The agent ---- */

/* Saved, and only then begun. */
inline begin(who, silent, shows) {
    d_step {
        assert(who || device != Refused);
        attempt++;
        present = !silent; interface = shows;
        if
        :: who -> person = Registering
        :: !who -> device = Registering
        fi;
        check()
    };
    if
    :: trouble(); goto killed
    :: true
    fi;
    atomic { live = attempt; calls!attempt, who }
}

inline over() { live = 0; present = 0; interface = 0; asked = 0 }

/* An answer to the call that counts; all others are thrown away. */
inline takeDevice(result) {
    if
    :: result == Success -> d_step { over(); device = Registered; check() }
    :: result == Failed -> d_step { over(); device = Retrying }
    :: result == FailedNoRetry -> d_step { over(); device = Refused }
    :: result == InterfaceRequired && present -> asked = 1; begin(0, 0, 1)
    :: result == InterfaceRequired && !present -> d_step { over(); device = Waiting }
    fi
}

inline takePerson(result) {
    if
    :: result == Success -> d_step { over(); person = SigningIn }
    :: result == Failed || result == FailedNoRetry -> d_step { over(); person = Retrying }
    :: result == InterfaceRequired && present -> asked = 1; begin(1, 0, 1)
    :: result == InterfaceRequired && !present -> d_step { over(); person = Waiting }
    fi
}

proctype Agent() {
    byte call, shown, got; mtype:outcome result; bit who;
start:
    /* What was under way was cut off: silently again, or it waits for somebody. */
    atomic {
        live = 0; present = 0; interface = 0; asked = 0; call = 0; shown = 0; got = 0; who = 0;
        result = 0
    };
#ifdef BUG_RESUMED_AS_DONE
    if
    :: device == Registering -> device = Registered; check()
    :: else
    fi;
#else
    if
    :: device == Registering -> begin(0, 1, 0)
    :: else
    fi;
#endif
    if
    :: person == Registering -> person = Waiting
    :: else
    fi;

idle:
    if
    /* The device, silently. */
    :: live == 0 && planned && (device == Waiting || device == Retrying) -> begin(0, 1, 0)
#ifdef BUG_REFUSED_TRIED_AGAIN
    :: live == 0 && planned && device == Refused -> begin(0, 1, 0)
#endif
    /* A person begins, and may be shown something when the extension needs it. */
    :: live == 0 && planned && (device == Waiting || device == Retrying) && operations > 0 ->
        operations--; begin(0, 0, 0)
#ifdef BUG_INTERFACE_AT_ONCE
    :: live == 0 && planned && device == Retrying && operations > 0 ->
        operations--; begin(0, 0, 1)
#endif
#ifdef BUG_PERSON_FIRST
    :: live == 0 && planned && (person == Waiting || person == Retrying) -> begin(1, 0, 0)
#else
    :: live == 0 && planned && device == Registered &&
        (person == Waiting || person == Retrying) -> begin(1, 0, 0)
#endif
    :: answers?call, result, who ->
        if
#ifdef BUG_LATE_ANSWER_COUNTS
        :: live != 0 && !who && device == Registering -> takeDevice(result)
        :: live != 0 && who && person == Registering -> takePerson(result)
        :: else
#else
        :: live != 0 && call == live && !who -> takeDevice(result)
        :: live != 0 && call == live && who -> takePerson(result)
        :: live == 0 || call != live
#endif
        fi
    /* Somebody gives up. The call goes on, and its answer does not count. */
    :: atomic { live != 0 && present && troubles > 0 -> troubles-- };
        d_step {
            if
            :: device == Registering -> device = Retrying
            :: else -> person = Retrying
            fi;
            over()
        }
    /* It takes too long: as if it had failed. */
    :: atomic { live != 0 && empty(answers) && empty(calls) && troubles > 0 -> troubles-- };
        d_step {
            if
            :: device == Registering -> device = Retrying
            :: else -> person = Retrying
            fi;
            over()
        }
    :: live == 0 && planned && device == Registered && person == SigningIn -> goto signIn
    :: live == 0 && planned && person == Binding -> goto bind
    :: live == 0 && planned && person == Registered && token != 0 && operations > 0 -> goto refresh
    :: live == 0 && planned && person == Registered && token == 0 -> goto signIn
    :: live == 0 && device == Refused -> goto done
    :: live == 0 && planned && person == Registered && token != 0 && operations == 0 -> goto done
    /* The profile goes: the provider is not told, the disk forgets everything. */
    :: atomic { troubles > 0 && planned && operations == OPERATIONS -> troubles--; planned = 0 };
        goto forget
    :: trouble(); goto killed
    fi;
    goto idle;

signIn: /* A full login, with what the person types or a key of theirs. */
    atomic { assert(device == Registered); family = 1; grace = 0; got = 1 };
    if
    :: trouble(); goto killed
    :: true
    fi;
    d_step {
        token = got;
        if
        :: person == SigningIn -> person = Binding
        :: else
        fi
    };
    goto idle;

bind: /* The unlock key: the same certificate however often it is asked for. */
#ifdef BUG_BOUND_BEFORE_SAVED
    person = Registered;
#endif
    if
    :: trouble(); goto killed
    :: true
    fi;
    certificate = 1;
    if
    :: trouble(); goto killed
    :: true
    fi;
    d_step { person = Registered; assert(certificate) };
    goto idle;

refresh: /* The token is shown; its successor is saved before anything else is done with it. */
    atomic {
        shown = token;
        if
        :: family != 0 && shown == family -> family++; grace = 1; got = family
        :: family != 0 && shown + 1 == family && grace -> got = family
        :: family == 0 || (shown != family && !(shown + 1 == family && grace)) ->
            family = 0; got = 0
        fi };
    if
    :: true
    :: atomic { trouble(); goto idle }  /* the answer is lost */
    :: trouble(); goto killed
    fi;
    atomic {
        operations--;
        if
        :: got != 0 -> token = got
#ifdef BUG_DEAD_TOKEN_KEPT
        :: got == 0
#else
        :: got == 0 -> token = 0        /* 401: the person signs in */
#endif
        fi };
    goto idle;

forget:
    /* In one step with the phases: nothing says registered whose keys are gone. */
    skip;
#ifdef BUG_FORGET_HALF
    keys = 0; configuration = 0;
    if
    :: trouble(); goto killed
    :: true
    fi;
    check();
#endif
    d_step {
        over();
        keys = 0; configuration = 0; token = 0; certificate = 0;
        device = Waiting; person = Waiting;
        check()
    };
    goto done;

killed: /* Started again by its socket, or at the next boot. */
    if
    :: planned -> goto start
    :: !planned -> goto forget
    fi;

done:
    assert(!planned || device == Refused || (person == Registered && token != 0 && certificate));
end:
    do
    :: answers?_, _, _
    od
}

/* Between two refreshes the grace may end. */
proctype Time() {
end:
    do
    :: atomic { grace == 1 && troubles > 0 -> troubles--; grace = 0 }
    od
}

init {
    atomic {
        run Agent(); run Extension(); run Extension(); run Time()
    }
}

/* What was begun comes to an end, and tokens that died are replaced. */
ltl ends { [] (device == Registering -> <> (device != Registering)) }
ltl signsIn { [] (person == Registered && token == 0 -> <> (token != 0)) }
ltl recovers { [] (token != 0 && family == 0 -> <> (family != 0)) }
