/* SPDX-License-Identifier: Apache-2.0
 *
 * What several people on one machine, and requests that are under way at the same moment, do to each
 * other, for spin: `Scripts/models` checks it. docs/protocols/agent.md says what holds.
 *
 * Who takes part: one agent, which is killed at any moment and started again. Two people on it, who
 * sign in, leave, and whose tokens are renewed, and of whom a login window or a lock screen asks whether
 * they are to be let in: with the right password, a wrong one, or while nobody can be reached. Two requests at most are under way at once, of one person
 * or of two, and the answer of either may come at any later time, or never. A provider, which knows the
 * machine by its registration, gives each login a family of tokens, ends a family of which an old token
 * comes again, and gives unlock keys to a person on the machine as it is registered then. Somebody who
 * revokes the machine.
 *
 * What is abstract: what agent.pml and agent-keys.pml have. Registering is one request, which goes on to
 * the people; a person is registered silently. A revoked machine registers with new keys.
 *
 * Each BUG_ is a mistake that one could make. `Scripts/models` plants every one of them alone and
 * fails when the check does not find it.
 */

#ifndef TROUBLES
#define TROUBLES 1   /* how much goes wrong in one history */
#endif
#ifndef DEEDS
#define DEEDS 5      /* how many requests there are in one history; of a login window one counts for two */
#endif
#define PEOPLE 2
#define SECOND (PEOPLE - 1)

mtype:phase = { Waiting, SigningIn, Binding, Registered, Gone };
mtype:deed = { Register, Login, Bind, Renew, Admit };
mtype:answer = { Granted, Refused, Unknown, Away };

/* The disk. */
bit device;                    /* it is registered */
byte identity;                 /* as what: 0 before the first time */
mtype:phase phase[PEOPLE];
byte session[PEOPLE];          /* refresh token; 0 is none */
byte unlock[PEOPLE];           /* the identity under which the unlock key was given; 0 is none */
byte attempt[PEOPLE];          /* the binding whose end counts */
bit owes[PEOPLE];              /* the provider refused a password: only it lets them in */

/* The memory of the agent: gone when it is killed. */
byte life = 1;                 /* an answer to another life is thrown away */
bit registering;
bit attended[PEOPLE];          /* somebody signs in */
bit renewing[PEOPLE];
bit binding[PEOPLE];

/* The provider. */
byte known;                    /* the identity that lives; 0 is none */
byte made;
byte given;                    /* tokens so far */
byte first[PEOPLE];            /* token of the family that lives */
byte current[PEOPLE];          /* the newest; 0 when there is no family */
byte before[PEOPLE];           /* the one that its grace covers */

/* What really happened, which nobody knows. */
byte under[PEOPLE];            /* the identity under which the session was given */
bit lost[PEOPLE];              /* an answer to a renewal never came */
bit refused[PEOPLE];           /* nobody may hold the session any more */
bit denied[PEOPLE];            /* a wrong password was typed, and no right one since */

byte deeds = DEEDS;
byte troubles = TROUBLES;

inline person(one) { if :: one = 0 :: one = SECOND fi }

/* What holds after each step, of each of them. */
inline checkOne(one) {
    /* Nobody waits for a machine that is registered. */
    assert(!device || phase[one] != Waiting);
    /* A session is of the machine as it is registered; so is the key that secrets are sealed to. */
    assert(session[one] == 0 || under[one] == identity);
#ifdef BUG_SEALED_TO_ANOTHER_KEY
    assert(unlock[one] == 0 || !device || unlock[one] == identity);
#else
    assert(phase[one] != Registered || !device || unlock[one] == identity);
#endif
    /* Whoever has left has nothing here. */
    assert(phase[one] != Gone || (session[one] == 0 && unlock[one] == 0));
    /* Nobody is signed out for nothing. */
    assert(phase[one] != Registered || !device || session[one] != 0 || refused[one])
}

inline check() { checkOne(0); checkOne(SECOND) }

/* ---- The provider, one request at a time ---- */

inline provide() {
    atomic {
        if
        :: what == Register && known != 0 && known == id -> said = Granted; got = known
        :: what == Register && (known == 0 || known != id) ->
            made++; known = made; said = Granted; got = made
        :: what != Register && known != id -> said = Unknown
        :: (what == Login || what == Admit) && known == id ->
            given++; first[p] = given; current[p] = given; before[p] = 0;
            said = Granted; got = given
        :: what == Admit && known == id -> said = Refused
        :: what == Admit -> said = Away
        :: what == Bind && known == id ->
            if
            :: token != 0 && (token == current[p] || token == before[p]) ->
                said = Granted; got = id
            :: else -> said = Refused
            fi
        :: what == Renew && known == id ->
            if
            :: current[p] != 0 && token == current[p] ->
                before[p] = current[p]; given++; current[p] = given; said = Granted; got = given
            :: before[p] != 0 && token == before[p] && token != current[p] ->
                said = Granted; got = current[p]
            /* Of a family that a login has ended. */
            :: token < first[p] -> said = Refused
            :: token >= first[p] && token != current[p] && token != before[p] ->
                /* An old token: the family ends. The agent never shows one whose successor it got. */
                assert(lost[p]);
                current[p] = 0; before[p] = 0; said = Refused
            fi
        fi
    }
}

/* ---- The agent ---- */

inline signOut(one) { session[one] = 0; under[one] = 0 }

/* The provider does not know this machine: in one step nobody on it is signed in any more. */
inline deviceUnknown() {
    if
#ifdef BUG_LATE_UNKNOWN_COUNTS
    :: true ->
#else
    :: id == identity ->
#endif
        /* Nobody is signed out of a machine that the provider knows. */
        assert(known != identity);
        device = 0;
#ifdef BUG_OTHERS_STAY_SIGNED_IN
        signOut(p)
#else
        signOut(0); signOut(SECOND)
#endif
#ifndef BUG_LATE_UNKNOWN_COUNTS
    :: id != identity
#endif
    fi
}

/* Everybody goes on to their own registration, and signs in. */
inline goOn(one) {
    if
    :: phase[one] == Gone
    :: phase[one] != Gone && identity != got ->
        phase[one] = SigningIn; attempt[one]++; binding[one] = 0
    :: phase[one] == Waiting && identity == got -> phase[one] = SigningIn
    :: phase[one] != Waiting && phase[one] != Gone && identity == got
    fi
}

inline takeRegister() {
    registering = 0;
    if
    :: said == Granted && !device ->
        goOn(p);
#ifndef BUG_ONLY_WHO_ASKED_GOES_ON
        goOn(1 - p);
#endif
        identity = got; device = 1
    :: else
    fi
}

/* A full login: what it brought is the session, and a registration that waited for it goes on. */
inline signedIn() {
    session[p] = got; under[p] = id; refused[p] = 0; owes[p] = 0; denied[p] = 0;
    if
    :: phase[p] == SigningIn -> phase[p] = Binding; attempt[p]++
    :: else
    fi
}

inline takeLogin() {
    attended[p] = 0;
    if
#ifdef BUG_GONE_COMES_BACK
    :: said == Granted && id == identity && device ->
#else
#ifdef BUG_LATE_LOGIN_COUNTS
    :: said == Granted && phase[p] != Gone ->
#else
    :: said == Granted && id == identity && device && phase[p] != Gone ->
#endif
#endif
        signedIn()
    :: said == Unknown -> deviceUnknown()
    :: else
    fi
}

/* Somebody is let in, or not: by the word of the provider; or, while that is away, by the password of the
 * machine and a session that is young enough. */
inline takeAdmit() {
    if
#ifdef BUG_LATE_ADMISSION_COUNTS
    :: said == Granted && phase[p] != Gone ->
#else
#ifdef BUG_GONE_IS_LET_IN
    :: said == Granted && id == identity && device ->
#else
    :: said == Granted && id == identity && device && phase[p] != Gone ->
#endif
#endif
        signedIn()
    :: said == Refused && id == identity && device && phase[p] != Gone ->
        owes[p] = 1; denied[p] = 1
    :: said == Away && session[p] != 0 && !owes[p] ->
        /* Whoever has guessed wrong does not guess on by pulling the plug. */
        assert(!denied[p] && phase[p] != Gone)
    :: said == Unknown ->
#ifdef BUG_ADMISSION_UNKNOWN_COUNTS
        id = identity;
#endif
        deviceUnknown()
    :: else
    fi
}

inline takeBind() {
    if
    :: number == attempt[p] -> binding[p] = 0
    :: else
    fi;
    if
#ifdef BUG_LATE_KEY_KEPT
    :: said == Granted && phase[p] != Gone ->
#else
    :: said == Granted && phase[p] != Gone && id == identity && device ->
#endif
        unlock[p] = got;
        if
        :: phase[p] == Binding && number == attempt[p] -> phase[p] = Registered
        :: else
        fi
    :: said == Unknown -> deviceUnknown()
    :: else
    fi
}

inline takeRenew() {
    renewing[p] = 0;
    if
#ifdef BUG_LATE_RENEWAL_COUNTS
    :: said == Granted && phase[p] != Gone -> session[p] = got; under[p] = id
#else
    :: said == Granted && session[p] == token -> session[p] = got;
#ifdef BUG_RENEWAL_PAYS
        owes[p] = 0
#endif
#endif
#ifdef BUG_LATE_REFUSAL_COUNTS
    :: said == Refused -> signOut(p)
#else
    :: said == Refused && session[p] == token -> refused[p] = 1; signOut(p)
#endif
    :: said == Unknown && session[p] == token -> deviceUnknown()
    :: else
    fi
}

/* A request, from its beginning to its answer. Two of them are under way at once. */
proctype Request() {
    byte p, mine, id, token, number, got; mtype:deed what; mtype:answer said;
idle:
    atomic { p = 0; mine = 0; id = 0; token = 0; number = 0; got = 0; what = 0; said = 0 };
end:
    person(p);
    /* It is begun with what is on the disk. */
    atomic {
        if
        :: deeds > 0 && !device && !registering -> what = Register; registering = 1
        :: deeds > 0 && device && !attended[p] && (phase[p] == SigningIn || phase[p] == Registered) ->
            what = Login; attended[p] = 1
        /* Whatever else is under way, also while the machine registers anew. */
        :: deeds > 1 && identity != 0 && phase[p] != Waiting && phase[p] != Gone ->
            what = Admit; deeds--
        :: deeds > 0 && device && phase[p] == Binding && !binding[p] && session[p] != 0 ->
            what = Bind; binding[p] = 1
#ifdef BUG_TWO_RENEWALS
        :: deeds > 0 && device && session[p] != 0 -> what = Renew; renewing[p] = 1
#else
        :: deeds > 0 && device && session[p] != 0 && !renewing[p] -> what = Renew; renewing[p] = 1
#endif
        :: else -> goto idle
        fi;
        deeds--; mine = life; id = identity; token = session[p]; number = attempt[p]
    };
    provide();
    /* It comes, to the agent that asked; or never. */
    atomic {
        if
        :: mine == life ->
            if
            :: what == Register -> takeRegister()
            :: what == Login -> takeLogin()
            :: what == Bind -> takeBind()
            :: what == Renew -> takeRenew()
            :: what == Admit -> takeAdmit()
            fi;
            check()
        :: mine == life && troubles > 0 ->
            troubles--;
            if
            :: what == Register -> registering = 0
            :: what == Login -> attended[p] = 0
            :: what == Bind && number == attempt[p] -> binding[p] = 0
            :: what == Bind && number != attempt[p]
            :: what == Renew -> renewing[p] = 0; lost[p] = 1
            :: what == Admit -> said = Away; takeAdmit()
            fi
        :: mine != life
        fi
    };
    goto idle
}

/* ---- What happens besides ---- */

/* A person is taken off the machine, by a command of theirs. */
proctype Leaving() {
    byte p;
    person(p);
    atomic {
        if
        :: troubles > 0 && device && phase[p] == Registered ->
            troubles--; phase[p] = Gone; signOut(p); unlock[p] = 0; attempt[p]++;
            owes[p] = 0; denied[p] = 0;
            current[p] = 0; before[p] = 0; first[p] = given + 1; check()
        :: else
        fi
    }
}

/* Killed and started again: what was under way begins anew. */
proctype Killing() {
    byte q;
end:
    do
    :: atomic {
        troubles > 0 -> troubles--; life++;
        for (q : 0 .. SECOND) {
            lost[q] = lost[q] || renewing[q];
            attended[q] = 0; renewing[q] = 0; binding[q] = 0;
#ifdef BUG_OWES_NOT_SAVED
            owes[q] = 0;
#endif
            if
            :: phase[q] == Binding -> attempt[q]++
            :: else
            fi
        };
        q = 0; registering = 0; check()
    }
    od
}

/* An administrator revokes the machine; the grace of a token is over. */
proctype World() {
end:
    do
    :: atomic {
        troubles > 0 && known != 0 -> troubles--; known = 0;
        current[0] = 0; before[0] = 0; current[SECOND] = 0; before[SECOND] = 0;
        first[0] = given + 1; first[SECOND] = given + 1
    }
    :: atomic { before[0] != 0 -> before[0] = 0 }
    :: atomic { before[SECOND] != 0 -> before[SECOND] = 0 }
    od
}

init {
    atomic {
        if
        /* From the beginning; or one has signed in, and the other is to. */
        :: phase[0] = Waiting; phase[SECOND] = Waiting
        :: made = 1; known = 1; identity = 1; device = 1; phase[SECOND] = SigningIn;
            given = 1; first[0] = 1; current[0] = 1; session[0] = 1; under[0] = 1;
            phase[0] = Binding; attempt[0] = 1
        fi;
        run Request(); run Request(); run Leaving(); run Killing(); run World()
    }
}
