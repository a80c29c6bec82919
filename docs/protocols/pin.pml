/* SPDX-License-Identifier: Apache-2.0
 *
 * The state machine of docs/protocols/pin.md, for spin: `Scripts/models` checks it. Both versions: in
 * version 2 the right sign-in with an offered secret activates it, and the device of a registration
 * sends no commit; in version 1 it does.
 *
 * Who takes part: one device with an honest person, who types right and wrong PINs, changes the PIN
 * and whose application is killed between any two steps; or a thief with that device, who asks in
 * parallel. Two workers of the server, which read, judge and settle. An administrator, who may
 * revoke. A network that loses and delays; an attacker in it who sends what passed again, to the
 * other device, or with another proof, and forges answers. A second device of the same person, to
 * which nothing may happen.
 *
 * What is abstract: a secret is its version, a proof is right or wrong, a signature is its signer.
 *
 * Each BUG_ is a mistake that one could make. `Scripts/models` plants every one of them alone and
 * fails when the check does not find it: a model that cannot fail proves nothing.
 */

#define LIMIT 2      /* wrong proofs in a row; the last of them locks */
#define OPERATIONS 2 /* what the person does after registering */
#ifndef TROUBLES     /* Scripts/models -DTROUBLES=3 -DNONCES=24 searches further, for minutes */
#define TROUBLES 2   /* how much goes wrong in one history */
#define NONCES 18
#endif
#define GUESSES 4    /* what the thief asks */
#define MINE 0
#define OTHER 1      /* the second device */
#define NOBODY 2     /* signs what was tampered with */

mtype:request = { Offer, FirstOffer, SignIn, Commit, Resolve };
mtype:answer = { Accepted, Delivery, Version, Wrong, Ended, Refused };

/* kind, signer, device, nonce, version, proof is right, transport key */
chan net = [2] of { mtype:request, byte, byte, byte, byte, bit, byte };
/* kind, device, nonce, version, signed */
chan answers = [2] of { mtype:answer, byte, byte, byte, bit };

/* The server's records, one for each device. */
byte current[2]; byte offered[2]; byte offerKey[2]; byte last[2]; byte used[2];
bit over[2];        /* locked or revoked: no secret is left */
byte lastWrong[2];  /* nonce of the last wrong proof */
bit stale[2];       /* of each worker: the record was replaced since it was read */

/* Nonces count from 1. */
bit living[NONCES]; byte nextNonce = 1;

/* What the device keeps. */
byte cur; byte off; bit wiped;

/* Of any kind: a message is lost, the device is impatient or its application killed, the attacker
 * acts, the administrator revokes. */
byte troubles = TROUBLES;
bit lost;           /* something was lost: whoever waits may give up */

/* For the properties only. */
bit typedWrong[NONCES]; /* a wrong PIN was typed for that nonce, and is not yet counted */
byte verdicts;          /* guesses that the server gave away since a right one */
bit thief;

/* The device has one secret to sign in with: the active one, or the first of a profile. */
#define hasOne ((off == 0) != (cur == 0))

#define agreement (wiped || thief || current[MINE] == 0 || \
    current[MINE] == cur || current[MINE] == off)

inline trouble() { atomic { troubles > 0 -> troubles-- } }

inline freshNonce(nonce) {
    assert(nextNonce < NONCES);
    nonce = nextNonce;
    living[nonce] = 1;
    nextNonce++
}

/* ---- The server ---- */

/* A wrong proof, settled. */
inline countWrong() {
    assert(typedWrong[nonce]);
    typedWrong[nonce] = 0;
    verdicts++;
    assert(verdicts <= LIMIT);
    used[device]++;
    lastWrong[device] = nonce;
    verdict = Wrong;
    if
    :: used[device] >= LIMIT ->
        over[device] = 1; current[device] = 0; offered[device] = 0; verdict = Ended
    :: else
    fi
}

inline countRight() { used[device] = 0; lastWrong[device] = 0; verdicts = 0 }

/* A secret for that transport key: the standing offer, or a new one. */
inline offer() {
    if
    :: offered[device] != 0 && offerKey[device] == key -> skip
    :: else ->
        last[device]++;
        offered[device] = last[device];
        offerKey[device] = key
    fi;
    verdict = Delivery;
    said = offered[device]
}

/* What a living profile's request does, when nobody was faster. */
inline apply() {
    if
    :: kind == SignIn && version == current[device] && right -> countRight(); verdict = Accepted
    :: kind == SignIn && version == current[device] && !right -> countWrong()
    :: kind == SignIn && version != current[device] && version == offered[device] && right ->
        countRight();
        current[device] = version; offered[device] = 0;
        verdict = Accepted
    :: kind == SignIn && version != current[device] && version == offered[device] && !right ->
#ifdef BUG_PROMOTION_UNCOUNTED
        /* The secret is only offered, so what is there to guess? */
        assert(typedWrong[nonce]); typedWrong[nonce] = 0;
        verdicts++; assert(verdicts <= LIMIT);
        verdict = Wrong
#else
        countWrong()
#endif
    :: kind == FirstOffer && current[device] == 0 -> offer()
    :: kind == Offer && version == current[device] && right -> countRight(); offer()
    :: kind == Offer && version == current[device] && !right -> countWrong()
    :: kind == Commit && version == current[device] && right ->
        countRight(); verdict = Version; said = version
    :: kind == Commit && version != current[device] && version == offered[device] && right ->
        countRight();
        current[device] = version; offered[device] = 0;
        verdict = Version; said = version
    :: kind == Commit && (version == current[device] || version == offered[device]) && !right ->
        countWrong()
    :: kind == Resolve ->
#ifndef BUG_OFFER_SURVIVES
        if
        :: offered[device] == version -> offered[device] = 0
        :: else
        fi;
#endif
        verdict = Version; said = current[device]
    :: else -> verdict = Refused
    fi
}

inline reply() {
    if
    :: nfull(answers) ->
        answers!verdict, device, nonce, said,
            (verdict == Delivery || verdict == Version || verdict == Ended)
    :: full(answers) -> lost = 1
    fi
}

/* A worker that dies before it settles has lost a request; afterwards, an answer. */
proctype Worker(byte me) {
    mtype:request kind; byte signer, device, nonce, version, key; bit right;
    mtype:answer verdict; byte said;
    byte usedThen; bit early;
end:
    do
    :: atomic {
        net?kind, signer, device, nonce, version, right, key;
#ifdef BUG_ANY_DEVICE
        if
        :: signer != NOBODY -> signer = device
        :: else
        fi;
#endif
        /* Read, and judge. */
        stale[me] = 0; usedThen = used[device];
#ifdef BUG_RIGHT_UNSETTLED
        /* A right proof changes nothing when nothing is counted, so why go through the store? */
        early = (signer == device && kind == SignIn && right && version == current[device] &&
            usedThen == 0 && living[nonce])
#endif
        };
judged:
#ifdef BUG_ANSWERED_BEFORE_SETTLED
        /* The verdict leaves first, and the server dies before it is settled. */
        if
        :: atomic { !early && signer == device && !over[device] && living[nonce] &&
            kind == SignIn && version == current[device] && !right && troubles > 0 ->
                troubles--;
                lost = 1;
                verdicts++;
                assert(verdicts <= LIMIT);
                goto end }
        :: true
        fi;
#endif
        /* Settle: the one atomic verb. Then answer. */
        atomic {
            if
            :: early -> living[nonce] = 0; assert(!over[device]); verdict = Accepted
#ifdef BUG_PROOF_UNSIGNED
            :: !early && signer == NOBODY && !over[device] && living[nonce] ->
                living[nonce] = 0; apply()
            :: !early && signer == NOBODY && (over[device] || !living[nonce]) -> verdict = Refused
            :: !early && signer != NOBODY && signer != device -> verdict = Refused
#else
            :: !early && signer != device -> verdict = Refused
#endif
            :: !early && signer == device && over[device] -> verdict = Ended; living[nonce] = 0
            :: !early && signer == device && !over[device] && !living[nonce] ->
                if
                :: lastWrong[device] == nonce -> verdict = Wrong
                :: else -> verdict = Refused
                fi
#ifdef BUG_LAST_WRITER_WINS
            :: !early && signer == device && !over[device] && living[nonce] ->
                if
                :: stale[me] && !right -> used[device] = usedThen
                :: else
                fi;
#else
            :: !early && signer == device && !over[device] && living[nonce] && stale[me] ->
                stale[me] = 0; usedThen = used[device]; /* Read again. */
                goto judged
            :: !early && signer == device && !over[device] && living[nonce] && !stale[me] ->
#endif
                stale[1 - me] = 1;
#ifndef BUG_NONCE_LIVES_ON
                living[nonce] = 0;
#endif
                apply()
            fi;
            assert(agreement);
            reply();
            kind = 0; signer = 0; device = 0; nonce = 0; version = 0; key = 0; right = 0;
            verdict = 0; said = 0; usedThen = 0; early = 0; stale[me] = 0
        }
    od
}

/* ---- The device ---- */

inline wait() {
    do
    :: atomic { answers?got, to, answering, said, isSigned ->
        if
#ifdef BUG_UNSIGNED_END
        :: got == Ended && to == MINE -> break
#else
        :: got == Ended && to == MINE && isSigned -> break
#endif
        :: got != Ended && to == MINE && answering == nonce &&
            (isSigned || got == Accepted || got == Wrong || got == Refused) -> break
#ifdef BUG_ANSWER_TO_ANOTHER_QUESTION
        :: got == Version && to == MINE && isSigned && off != 0 -> break
#endif
        :: else
        fi }
    :: atomic { lost && empty(answers) -> lost = 0; gaveUp = 1; break }
    :: atomic { troubles > 0 -> troubles--; gaveUp = 1; break }
    od
}

inline wipe() { d_step { assert(over[MINE]); cur = 0; off = 0; wiped = 1 } }

/* The server's word on which secret counts. */
inline take() {
    d_step {
        if
        :: said == off -> cur = off; off = 0
        :: said != off && said == cur -> off = 0
        :: else -> assert(false)
        fi;
        assert(agreement)
    }
}

proctype Device() {
    mtype:answer got; byte to, answering, said; bit isSigned;
    byte nonce, key, operations = OPERATIONS; bit gaveUp, right;
idle:
    atomic {
        gaveUp = 0; got = 0; to = 0; answering = 0; said = 0; isSigned = 0; nonce = 0; right = 0
    };
    if
    :: wiped -> goto done
    :: !wiped && off != 0 && cur != 0 -> goto resolving
    :: atomic { !wiped && off != 0 && cur == 0 && troubles > 0 ->
        troubles--; goto resolving }    /* The registration was cut off, and is repeated. */
    :: !wiped && off == 0 && cur == 0 -> key++; goto registering
    :: !wiped && hasOne && operations > 0 ->
        operations--;
        if
        :: right = 1
        :: right = 0
        fi;
        if
        :: goto signingIn
        :: cur != 0 -> key++; goto changing
        :: cur == 0 -> goto confirming  /* A change of the first PIN: it is committed before. */
        fi
    :: !wiped && hasOne && operations == 0 -> goto done
    fi;

registering: /* The same transport key as long as it is in memory. */
    atomic { freshNonce(nonce); net!FirstOffer, MINE, MINE, nonce, 0, 0, key; gaveUp = 0 };
    wait();
    if
    :: gaveUp || got == Refused || got == Accepted ->
        if
        :: goto registering
        :: trouble(); goto idle
        fi
    :: !gaveUp && got == Ended -> wipe(); goto done
    :: !gaveUp && got == Delivery -> goto sealing
    fi;

signingIn:
    atomic { freshNonce(nonce); typedWrong[nonce] = !right };
sending:
    atomic { net!SignIn, MINE, MINE, nonce, (cur != 0 -> cur : off), right, 0; gaveUp = 0 };
    wait();
    if
    :: gaveUp ->
        if
#ifdef BUG_FRESH_NONCE_FOR_OLD_PIN
        :: atomic { answering = nonce; freshNonce(nonce);
            typedWrong[nonce] = typedWrong[answering]; typedWrong[answering] = 0; goto sending }
#else
        :: goto sending     /* The same bytes. */
#endif
        :: goto idle        /* The person gives up. */
        fi
    :: !gaveUp && got == Ended -> wipe(); goto done
    :: !gaveUp && got == Refused && cur == 0 -> goto resolving
    :: !gaveUp && got != Ended && (got != Refused || cur != 0) -> goto idle
    fi;

confirming:
    atomic { freshNonce(nonce); typedWrong[nonce] = !right };
    atomic { net!Commit, MINE, MINE, nonce, off, right, 0; gaveUp = 0 };
    wait();
    if
    :: gaveUp || got == Wrong || got == Accepted -> goto idle
    :: !gaveUp && got == Ended -> wipe(); goto done
    :: !gaveUp && got == Version -> take(); goto idle
    :: !gaveUp && got == Refused -> goto resolving
    fi;

changing:
    atomic { freshNonce(nonce); typedWrong[nonce] = !right };
asking:
    atomic { net!Offer, MINE, MINE, nonce, cur, right, key; gaveUp = 0 };
    wait();
    if
    :: gaveUp ->
        if
        :: goto asking
        :: goto idle
        fi
    :: !gaveUp && got == Ended -> wipe(); goto done
    :: !gaveUp && got == Delivery -> goto sealing
    :: !gaveUp && (got == Wrong || got == Refused || got == Accepted) -> goto idle
    fi;

sealing: /* The new secret lies in memory, sealed under the new PIN. */
    if
    :: trouble(); goto idle
    :: true
    fi;
#ifdef BUG_COMMIT_BEFORE_STORING
    atomic { freshNonce(nonce); net!Commit, MINE, MINE, nonce, said, 1, 0; gaveUp = 0 };
    if
    :: trouble(); goto idle
    :: off = said; goto waiting
    fi;
#endif
    d_step {
#ifdef BUG_OLD_FORGOTTEN_EARLY
        cur = 0;
#endif
        off = said; assert(agreement)
    };
    if
    :: trouble(); goto idle
    :: cur == 0 -> goto idle    /* Version 2: the first sign-in is the commit. */
    :: true                     /* A change; or version 1. */
    fi;

committing:
    atomic { freshNonce(nonce); net!Commit, MINE, MINE, nonce, off, 1, 0; gaveUp = 0 };
waiting:
    wait();
    if
    :: gaveUp ->
        if
        :: goto committing
        :: trouble(); goto idle
        fi
    :: !gaveUp && got == Ended -> wipe(); goto done
    :: !gaveUp && got == Version -> take(); goto idle
    :: !gaveUp && (got == Refused || got == Wrong || got == Accepted) -> goto resolving
    fi;

resolving: /* Nobody needs to type anything. */
    atomic { freshNonce(nonce); net!Resolve, MINE, MINE, nonce, off, 0, 0; gaveUp = 0 };
    wait();
    if
#ifdef BUG_RESOLVED_ONCE
    :: gaveUp || got == Refused || got == Accepted -> goto forgotten
#else
    :: gaveUp || got == Refused || got == Accepted -> goto resolving
#endif
    :: !gaveUp && got == Ended -> wipe(); goto done
    :: !gaveUp && got == Version -> take(); goto idle
    fi;

done: /* Nothing is under way any more, and both sides hold the same; or the person has not signed in
       * with the first secret, and no other one is active. */
    assert(wiped || over[MINE] || (off == 0 && cur == current[MINE]) || (cur == 0 && agreement));
end:
    do
    :: answers?_, _, _, _, _
    od;
#ifdef BUG_RESOLVED_ONCE
forgotten:
endForgotten:
    false
#endif
}

/* ---- Those who mean harm ---- */

/* Has the device, so it signs; does not know the PIN; asks without waiting. One guess is right. */
proctype Thief() {
    byte nonce, guesses = GUESSES; bit hit;
    do
    :: atomic { guesses > 0 ->
        guesses--;
        freshNonce(nonce);
        if
        :: !hit -> hit = 1; net!SignIn, MINE, MINE, nonce, 1, 1, 0
        :: typedWrong[nonce] = 1; net!SignIn, MINE, MINE, nonce, 1, 0, 0
        fi }
    :: guesses == 0 -> break
    od;
end:
    do
    :: answers?_, _, _, _, _
    od
}

proctype Network() {
end:
    do
    :: atomic { troubles > 0 && nempty(net) ->
        net?_, _, _, _, _, _, _; troubles--; lost = 1 }
    :: atomic { troubles > 0 && nempty(answers) ->
        answers?_, _, _, _, _; troubles--; lost = 1 }
    od
}

/* Keeps a copy of one message that passes, and uses it later; or makes one up. */
proctype Attacker() {
    mtype:request kind; byte signer, device, nonce, version, key; bit right;
    mtype:answer verdict; byte to, answering, said; bit isSigned;
end:
    if
    :: atomic { troubles > 0 && nempty(net) ->
        troubles--; net?<kind, signer, device, nonce, version, right, key> };
endHolding:
        atomic { nfull(net) ->
            if
            :: net!kind, signer, device, nonce, version, right, key
            :: net!kind, signer, OTHER, nonce, version, right, key
            :: net!kind, NOBODY, device, nonce, version, !right, key
            fi;
            kind = 0; signer = 0; device = 0; nonce = 0; version = 0; key = 0; right = 0 }
    :: atomic { troubles > 0 && nempty(answers) ->
        troubles--; answers?<verdict, to, answering, said, isSigned> };
endHearing:
        atomic { nfull(answers) ->
            answers!verdict, to, answering, said, isSigned;
            verdict = 0; to = 0; answering = 0; said = 0; isSigned = 0 }
    :: atomic { troubles > 0 && nfull(answers) ->
        troubles--;
        if
        :: answers!Ended, MINE, 0, 0, 0
        :: answers!Accepted, MINE, nextNonce - 1, 0, 0
        :: answers!Version, MINE, nextNonce - 1, 0, 0
        fi }
    fi
}

proctype Administrator() {
end:
    atomic { troubles > 0 ->
        troubles--;
        over[MINE] = 1; current[MINE] = 0; offered[MINE] = 0; stale[0] = 1; stale[1] = 1 }
}

init {
    atomic {
        current[OTHER] = 1; last[OTHER] = 1;
        run Worker(0); run Worker(1);
        if
        :: run Device(); run Network(); run Attacker(); run Administrator()
        :: thief = 1; current[MINE] = 1; last[MINE] = 1; run Thief()
        :: thief = 1; offered[MINE] = 1; last[MINE] = 1; run Thief()
        fi
    }
}

/* Nothing ever happens to the second device. */
ltl separate { [] (used[OTHER] == 0 && !over[OTHER]) }

/* A change that was begun comes to an end, one way or the other. */
ltl converges { [] ((off != 0 && cur != 0) -> <> (off == 0)) }
