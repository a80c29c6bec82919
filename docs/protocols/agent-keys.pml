/* SPDX-License-Identifier: Apache-2.0
 *
 * By which keys a machine is known, and what becomes of them: docs/protocols/agent.md says it in words.
 * For spin: `Scripts/models` checks it. It begins where agent.pml ends, with a machine that is registered.
 *
 * Who takes part: one agent with the shared keys of its machine and the keys of one person, of which its
 * profile wants the one or the other; it is killed between any two steps and started again. Somebody who has
 * it register anew, replaces its keys, changes the profile, or takes the machine off the provider. A
 * provider, which knows a machine by its signing key, takes a key that replaces another on the word of the
 * other, and lets that sign people in for a while. An administrator, who revokes a machine. A network that
 * loses requests and answers.
 *
 * What is abstract: a key is its number, in the order in which they were made. The machine has no serial
 * number, and its token registers any machine: it is known by nothing but its keys. Encryption keys go the
 * way of signing keys. A person's session is a bit, and so is what was kept for the grace period.
 *
 * Each BUG_ is a mistake that one could make; the agent did make most of them. `Scripts/models` plants every
 * one of them alone and fails when the check does not find it.
 */

#ifndef TROUBLES
#define TROUBLES 3    /* how much goes wrong in one history */
#endif
#ifndef OPERATIONS
#define OPERATIONS 3  /* how often somebody wants something */
#endif
#define KEYS 9

#define SHARED 0
#define OWN 1
#define OTHER (1 - wanted)

mtype:stage = { Waiting, Registering, Retrying, Registered };
mtype:standing = { Unknown, Current, Overlapping, Ended };
mtype:reply = { Done, DeviceUnknown, KeyTaken, Lost };

/* The disk. What one d_step of the agent writes is saved in one step: the file is replaced whole. */
bit wanted = SHARED;            /* whose keys the profile wants */
mtype:stage phase = Registered; /* of those */
byte key[2];                    /* 0 is none */
byte pending[2];                /* made to take the place of `key` */
bit offered[2];                 /* the provider may have heard of `pending` */
bit outgoing[2];                /* others take their place */
bit migrating;                  /* the registration that is under way does */
bit leaving;                    /* somebody was taking the machine off the provider */
bit session = 1;
bit kept = 1;                   /* what opens sealed secrets while the provider is away */

/* The provider. */
mtype:standing life[KEYS] = Unknown;
byte machine[KEYS];             /* whose key that is */
byte machines;                  /* how many it ever knew */

/* What nobody sees. */
byte made;                      /* keys that were ever made */
byte troubles = TROUBLES;
byte operations = OPERATIONS;
bit revoked;                    /* the administrator has had their turn */
bit learned;                    /* the agent has saved that the provider does not know it */
bit takenOff;                   /* the provider took the machine off, as somebody wished */
bit away;                       /* the extension is not there just now */
bit over;                       /* this history has come to its end */

inline trouble() { atomic { troubles > 0 -> troubles-- } }

/* ---- The provider: each of these is one step of it ---- */

inline endMachine(which) {
    index = 1;
    do
    :: index < KEYS ->
        if
        :: life[index] != Unknown && machine[index] == which -> life[index] = Ended
        :: else
        fi;
        index++
    :: else -> break
    od;
    index = 0
}

/* A registration: by the key itself, on the word of the key that the machine was known by, or by token.
 * What was one person's does not sign for everybody, not even for a while. */
inline register(name, previous, isMigration) {
    d_step {
        if
        :: life[name] == Current -> answer = Done
        :: life[name] != Current && previous != 0 && life[previous] != Current ->
            answer = DeviceUnknown
        :: life[name] != Current && life[name] != Unknown && (previous == 0 || life[previous] == Current) ->
            answer = KeyTaken
        :: life[name] == Unknown && previous != 0 && life[previous] == Current ->
            life[name] = Current; machine[name] = machine[previous];
            if
            :: isMigration -> life[previous] = Ended
            :: else -> life[previous] = Overlapping
            fi;
            answer = Done
        :: life[name] == Unknown && previous == 0 ->
            machines++; life[name] = Current; machine[name] = machines; answer = Done
        fi
    }
}

/* The machine leaves, by a key of its own. */
inline leave(name, isWish) {
    d_step {
        if
        :: name != 0 && life[name] == Current ->
            endMachine(machine[name]); takenOff = takenOff || isWish; answer = Done
        :: else -> answer = DeviceUnknown
        fi
    }
}

/* Somebody signs in, opens what was sealed, or tokens are renewed. */
inline ask(name) {
    d_step {
        if
        :: name != 0 && (life[name] == Current || life[name] == Overlapping) -> answer = Done
        :: else -> answer = DeviceUnknown
        fi
    }
}

/* ---- The network: a request is lost before anybody hears it, or its answer after ---- */

#define SEND(request) \
    if \
    :: request \
    :: atomic { trouble(); answer = Lost } \
    fi; \
    if \
    :: true \
    :: atomic { answer != Lost && troubles > 0 -> troubles--; answer = Lost } \
    fi

/* ---- Between any two steps of the agent ---- */

inline check() {
    d_step {
        /* Whom the provider knows, the disk can prove: no key is lost that it took, and no identity of the
         * machine lives on without it. */
        index = 1;
        do
        :: index < KEYS ->
            assert(life[index] != Current || key[SHARED] == index || key[OWN] == index
                || pending[SHARED] == index || pending[OWN] == index);
            index++
        :: else -> break
        od;
        index = 0;
        /* A machine that knows that it was revoked keeps nothing. */
        assert(!learned || !kept)
    }
}

inline crash() {
    check();
    if
    :: atomic { troubles > 0 -> troubles--; goto killed }
    :: true
    fi
}

/* A new key in the place of `key`, whatever else was there. */
inline makeKey() {
    d_step { made++; assert(made < KEYS); key[wanted] = made; pending[wanted] = 0; offered[wanted] = 0 }
}

/* The provider has taken the pending key. */
inline takeIntoUse() {
    d_step { key[wanted] = pending[wanted]; pending[wanted] = 0; offered[wanted] = 0 }
}

active proctype Agent() {
    mtype:reply answer; byte index, fresh;
    d_step { made = 1; key[SHARED] = 1; machines = 1; life[1] = Current; machine[1] = 1 };
    goto idle;

killed: /* Started again: what was under way is on the disk. */
    skip;
    d_step { answer = 0; fresh = 0; index = 0 };
#ifdef BUG_CUT_OFF_AND_FORGOTTEN
    phase != Registering;
#endif

idle:
    if
    /* Cut off, or failed: silently again. */
    :: phase == Registering -> goto call
    :: phase == Retrying -> phase = Registering; goto call
    /* A key was offered, and nobody knows whether it was taken: within the hour, and at each start. */
#ifndef BUG_OFFERED_KEY_NOT_TAKEN_UP
    :: phase == Registered && offered[wanted] -> goto rotate
#endif
    :: !migrating && outgoing[OTHER] -> goto tell
    /* Somebody wants something. */
    :: phase == Registered && operations > 0 -> operations--; goto rotate
    :: phase != Retrying && operations > 0 -> operations--; goto byHand
    :: operations > 0 -> operations--; goto migrate
    :: phase == Registered && operations > 0 -> operations--; goto takeOff
    :: session && operations > 0 && life[key[wanted]] != Unknown -> operations--; goto renew
    /* The extension is being replaced. */
    :: atomic { !away && troubles > 0 -> troubles--; away = 1 }
    :: atomic { troubles > 0 -> troubles--; goto killed }
    /* The last thing that happens: somebody signs in. */
    :: phase == Registered && operations == 0 && !offered[wanted] && !outgoing[OTHER] -> goto lastly
    :: phase == Waiting && operations == 0 && !outgoing[OTHER] -> goto done
    fi;
    goto idle;

byHand: /* Somebody has it register, again or for the first time. */
    skip;
    d_step { phase = Registering; leaving = 0; takenOff = 0 };
    crash();
    goto idle;

migrate: /* The profile wants other keys. Those of before live until the new ones are registered. */
    skip;
    d_step {
        outgoing[wanted] = 1; wanted = OTHER; outgoing[wanted] = 0;
        phase = Registering; migrating = 1; leaving = 0; takenOff = 0
    };
    crash();
    goto idle;

call: /* The extension registers the machine. */
    if
    :: away ->
#ifdef BUG_BEGUN_WITHOUT_EXTENSION
        phase != Registering;
#endif
        d_step { away = 0; phase = Retrying };
        goto idle
    :: !away
    fi;
    if
    :: key[wanted] == 0 -> makeKey()
    :: key[wanted] != 0
    fi;
    crash();
#ifndef BUG_PENDING_KEY_LEFT_OUT
    /* A key that was to take the place of another comes first: the provider may know no other. */
    if
    :: pending[wanted] != 0 ->
        SEND(register(pending[wanted], key[wanted], 0));
        crash();
        if
        :: answer == Done -> takeIntoUse(); goto registered
        :: answer == Lost -> goto failed
        :: answer == DeviceUnknown || answer == KeyTaken
        fi
    :: pending[wanted] == 0
    fi;
#endif
again:
    if
    /* Keys of one person become the machine's on their own word, and never the other way round. */
    :: migrating && wanted == SHARED && key[OWN] != 0 ->
        SEND(register(key[wanted], key[OWN], 1));
        crash();
        if
        :: answer == DeviceUnknown && pending[OWN] != 0 ->
            SEND(register(key[wanted], pending[OWN], 1));
            crash()
        :: else
        fi;
#ifndef BUG_PROVEN_BY_OLD_KEYS_ONLY
        if
        :: answer == DeviceUnknown -> SEND(register(key[wanted], 0, 0))
        :: else
        fi
#endif
    :: else -> SEND(register(key[wanted], 0, 0))
    fi;
    crash();
    if
    :: answer == Done -> goto registered
    :: answer == Lost || answer == DeviceUnknown -> goto failed
    /* It will never take that one again. */
    :: answer == KeyTaken -> makeKey(); crash(); goto again
    fi;
registered:
    skip;
    crash();
    d_step { phase = Registered; migrating = 0; leaving = 0; learned = 0 };
    crash();
    goto idle;
failed:
    phase = Retrying;
    crash();
    goto idle;

rotate: /* The new key is on the disk, then the provider hears of it, then it takes the place of the old. */
#ifdef BUG_OLD_KEY_DROPPED_FIRST
    makeKey();
    crash();
#endif
    if
    :: pending[wanted] != 0
    :: pending[wanted] == 0 ->
        d_step {
            made++; assert(made < KEYS);
            fresh = made;
#ifndef BUG_KEY_OFFERED_BEFORE_SAVED
            pending[wanted] = made
#endif
        }
    fi;
    crash();
    offered[wanted] = 1;
    crash();
    if
    :: pending[wanted] != 0 -> SEND(register(pending[wanted], key[wanted], 0))
    :: pending[wanted] == 0 -> SEND(register(fresh, key[wanted], 0))
    fi;
    crash();
#ifdef BUG_KEY_OFFERED_BEFORE_SAVED
    if
    :: pending[wanted] == 0 -> pending[wanted] = fresh
    :: else
    fi;
#endif
    fresh = 0;
    if
    :: answer == Done -> takeIntoUse(); crash(); goto idle
    :: answer == Lost -> goto idle
    /* It is tried again and again, until the machine asks for something else and learns why. */
    :: answer == DeviceUnknown || answer == KeyTaken -> goto renew
    fi;

tell: /* The provider hears that keys have left, by every key that it may know them by. */
#ifdef BUG_NOT_TOLD
    goto forget;
#endif
#ifdef BUG_FORGOTTEN_FIRST
    skip;
    d_step { fresh = key[OTHER]; key[OTHER] = 0 };
    crash();
    SEND(leave(fresh, 0));
    goto forget;
#endif
#ifndef BUG_PENDING_KEY_STAYS
    SEND(leave(pending[OTHER], 0));
    crash();
    if
    :: answer == Lost -> goto idle             /* ten minutes later */
    :: answer != Lost
    fi;
#endif
    SEND(leave(key[OTHER], 0));
    crash();
    if
    :: answer == Lost -> goto idle
    :: answer != Lost
    fi;
forget:
    skip;
    d_step {
        fresh = 0;
        key[OTHER] = 0; pending[OTHER] = 0; offered[OTHER] = 0; outgoing[OTHER] = 0
    };
    crash();
    goto idle;

takeOff: /* Somebody takes the machine off the provider. When an answer is lost they are told so. */
#ifndef BUG_LEAVING_NOT_SAVED
    leaving = 1;
    crash();
#endif
#ifndef BUG_PENDING_KEY_STAYS
    SEND(leave(pending[wanted], 1));
    crash();
    if
    :: answer == Lost -> goto idle
    :: answer != Lost
    fi;
#endif
    SEND(leave(key[wanted], 1));
    crash();
    if
    :: answer == Lost -> goto idle
    :: answer != Lost
    fi;

left: /* It is not made again by itself, not even with a token. */
    skip;
    d_step {
        key[wanted] = 0; pending[wanted] = 0; offered[wanted] = 0;
        phase = Waiting; migrating = 0; leaving = 0; session = 0; kept = 0; learned = 0
    };
    crash();
    goto idle;

renew: /* A person of this machine asks the provider for something. */
    SEND(ask(key[wanted]));
    crash();
    if
    :: answer == Done -> d_step { leaving = 0; learned = 0; session = 1; kept = 1 }; goto idle
    :: answer == Lost -> goto idle
    :: answer == DeviceUnknown
    fi;
#ifdef BUG_UNKNOWN_IS_AN_OUTAGE
    goto idle;
#endif
    /* It may know the machine by the key that was to take the place of this one. */
    if
    :: phase == Registered && offered[wanted] ->
        SEND(register(pending[wanted], key[wanted], 0));
        crash();
        if
        :: answer == Done -> takeIntoUse(); goto idle
        :: answer != Done
        fi
    :: else
    fi;
#ifdef BUG_GRACE_WHILE_REGISTERING
    if
    :: phase != Registered -> learned = 1; check(); goto idle
    :: phase == Registered
    fi;
#endif
#ifdef BUG_GRACE_ENDS_LATER
    d_step { learned = 1; session = 0 };
    crash();
#endif
    /* It was to leave, and has left when it has by every key that the provider may know it by. */
    if
#ifdef BUG_LEFT_BY_OLD_KEY
    :: leaving -> goto left
#else
    :: leaving ->
        SEND(leave(pending[wanted], 1));
        if
        :: answer != Lost -> SEND(leave(key[wanted], 1))
        :: else
        fi;
        crash();
        if
        :: answer != Lost -> goto left
        :: answer == Lost -> d_step { learned = 1; session = 0; kept = 0 }; goto idle
        fi
#endif
    :: !leaving
    fi;
    d_step {
        learned = 1; session = 0; kept = 0;
        if
        :: phase == Registered -> phase = Registering
        :: else
        fi
    };
    crash();
    goto idle;

lastly:
    atomic {
        ask(key[wanted]);
        if
        :: answer == Done
        :: answer != Done -> goto renew
        fi;
        over = 1; learned = 0
    };

done: /* The same end, whatever was cut off. */
    over = 1;
    check();
    d_step {
        index = 1; fresh = 0;
        do
        :: index < KEYS ->
            if
            :: life[index] == Current -> fresh++
            :: else
            fi;
            index++
        :: else -> break
        od;
        /* One identity, by the key that the profile wants, and no keys besides; or none at all. */
        assert(fresh == (phase == Registered));
        assert(phase == Registered || phase == Waiting);
        assert(phase == Waiting || life[key[wanted]] == Current);
        assert(!offered[wanted] && !outgoing[SHARED] && !outgoing[OWN]);
        assert(key[OTHER] == 0 && pending[OTHER] == 0);
        /* Whoever took the machine off does not find it registered. */
        assert(!takenOff || phase == Waiting)
    }
}

/* Revokes a machine, once: the first or the last that there was. */
active proctype Administrator() {
    byte index;
end:
    atomic {
        !over && machines > 0 && !revoked -> revoked = 1;
        if
        :: d_step { endMachine(machines) }
        :: d_step { endMachine(1) }
        fi
    }
}

#define OVERLAPS (life[1] == Overlapping || life[2] == Overlapping || life[3] == Overlapping \
    || life[4] == Overlapping || life[5] == Overlapping || life[6] == Overlapping)

/* Keys that others have taken the place of do not sign people in for ever. */
active proctype Time() {
    byte index;
end:
    do
    :: d_step {
        !over && OVERLAPS ->
        index = 1;
        do
        :: index < KEYS ->
            if
            :: life[index] == Overlapping -> life[index] = Ended
            :: else
            fi;
            index++
        :: else -> break
        od;
        index = 0
       }
    od
}

/* Every history comes to its end, and nothing is registering for ever. */
ltl ends { <> over }
ltl settles { [] (phase == Registering -> <> (phase != Registering)) }
