CREATE TABLE authors (
    run       INTEGER NOT NULL,
    number    INTEGER NOT NULL,
    pair      INTEGER NOT NULL,
    author    TEXT NOT NULL,    -- key of the worker, '' for the run's own process
    digest    INTEGER NOT NULL, -- of the result
    confirmed INTEGER NOT NULL, -- 1: another player found the same
    PRIMARY KEY (run, number, pair),
    FOREIGN KEY (run, number) REFERENCES tasks(run, number) ON DELETE CASCADE
) STRICT, WITHOUT ROWID;

CREATE TABLE batches (
    id      INTEGER PRIMARY KEY,
    run     INTEGER NOT NULL REFERENCES runs(id) ON DELETE CASCADE,
    step    INTEGER NOT NULL, -- steps closed before it
    part    INTEGER NOT NULL, -- batches of the step before it
    purpose TEXT NOT NULL,    -- 'generation 12', 'gate 0', ...
    nodes   INTEGER NOT NULL, -- limit a move
    players TEXT NOT NULL,    -- JSON array of names
    pairs   INTEGER NOT NULL, -- asked for
    hash    TEXT NOT NULL,    -- of all that the pairs depend on
    UNIQUE (run, step, part)
) STRICT;

CREATE TABLE champions (
    run        INTEGER NOT NULL,
    generation INTEGER NOT NULL,
    weights    TEXT NOT NULL, sum TEXT, -- JSON array in the order of parameters
    PRIMARY KEY (run, generation),
    FOREIGN KEY (run, generation) REFERENCES generations(run, generation) ON DELETE CASCADE
) STRICT, WITHOUT ROWID;

CREATE TABLE checks (
    run    INTEGER NOT NULL REFERENCES runs(id) ON DELETE CASCADE,
    number INTEGER NOT NULL,
    games  INTEGER NOT NULL, -- of the evolution before it
    r0 INTEGER NOT NULL, r1 INTEGER NOT NULL, r2 INTEGER NOT NULL, r3 INTEGER NOT NULL, r4 INTEGER NOT NULL,
    PRIMARY KEY (run, number)
) STRICT, WITHOUT ROWID;

CREATE TABLE games (
    batch       INTEGER NOT NULL,
    pair        INTEGER NOT NULL,
    game        INTEGER NOT NULL, -- 0 and 1: the pair's; 2 and 3: a first attempt that was discarded
    result      TEXT NOT NULL,    -- 'B' Black won, 'W' White won, 'D' draw, '-' none
    plies       INTEGER NOT NULL,
    adjudicated INTEGER NOT NULL, -- 1: ended by a proof
    nodes       INTEGER NOT NULL,
    moves       BLOB NOT NULL,    -- a cell a byte (two bytes above 15 cells a side): y * size + x from the top left
    fault       TEXT,             -- kind of failure of the side that lost by it
    faulty      TEXT,             -- 'B' or 'W'
    message     TEXT,             -- what happened
    PRIMARY KEY (batch, pair, game),
    FOREIGN KEY (batch, pair) REFERENCES pairs(batch, pair) ON DELETE CASCADE
) STRICT, WITHOUT ROWID;

CREATE TABLE gates (
    run        INTEGER NOT NULL REFERENCES runs(id) ON DELETE CASCADE,
    number     INTEGER NOT NULL,
    generation INTEGER NOT NULL, -- closed before it
    final      INTEGER NOT NULL,
    opponent   TEXT NOT NULL,
    passed     INTEGER NOT NULL,
    verdict    TEXT NOT NULL,
    llr        REAL NOT NULL,
    elo REAL NOT NULL, elo_low REAL NOT NULL, elo_high REAL NOT NULL, -- seen from the champion, 95 %
    r0 INTEGER NOT NULL, r1 INTEGER NOT NULL, r2 INTEGER NOT NULL, r3 INTEGER NOT NULL, r4 INTEGER NOT NULL,
    report     TEXT NOT NULL, -- JSON
    PRIMARY KEY (run, number)
) STRICT, WITHOUT ROWID;

CREATE TABLE generations (
    run        INTEGER NOT NULL REFERENCES runs(id) ON DELETE CASCADE,
    generation INTEGER NOT NULL,
    phase      TEXT NOT NULL,    -- 'ga', 'spsa', ...
    games      INTEGER NOT NULL, -- of the evolution so far
    sigma      REAL NOT NULL,    -- mutation or perturbation, gene units
    spread     REAL NOT NULL,    -- mean over genes of the genomes' standard deviation
    best       REAL NOT NULL,    -- Elo
    mean       REAL NOT NULL,    -- Elo
    immigrants INTEGER NOT NULL,
    PRIMARY KEY (run, generation)
) STRICT, WITHOUT ROWID;

CREATE TABLE genomes (
    run        INTEGER NOT NULL,
    generation INTEGER NOT NULL,
    genome     INTEGER NOT NULL,
    elo        REAL NOT NULL,
    r0 INTEGER NOT NULL, -- pairs with 0 points of 2
    r1 INTEGER NOT NULL, -- half a point
    r2 INTEGER NOT NULL,
    r3 INTEGER NOT NULL,
    r4 INTEGER NOT NULL, -- pairs with both games won
    genes      TEXT NOT NULL, -- JSON array, [-1, 1], four decimals
    PRIMARY KEY (run, generation, genome),
    FOREIGN KEY (run, generation) REFERENCES generations(run, generation) ON DELETE CASCADE
) STRICT, WITHOUT ROWID;

CREATE TABLE marks (
    run    INTEGER NOT NULL REFERENCES runs(id) ON DELETE CASCADE,
    number INTEGER NOT NULL, -- tasks before it
    step   INTEGER NOT NULL, -- steps closed before it
    state  BLOB NOT NULL,    -- JSON, gzip
    PRIMARY KEY (run, number)
) STRICT;

CREATE TABLE migrations (
    version INTEGER PRIMARY KEY,
    sqlite  TEXT NOT NULL -- its version at the time
) STRICT;

CREATE TABLE pairs (
    batch   INTEGER NOT NULL REFERENCES batches(id) ON DELETE CASCADE,
    pair    INTEGER NOT NULL,
    a       INTEGER NOT NULL, -- index of players, Black of game 0
    b       INTEGER NOT NULL, -- index of players, Black of game 1
    opening INTEGER NOT NULL, -- plies
    points  INTEGER,          -- of A times two, 0 to 4; NULL: a player failed twice
    worker  TEXT NOT NULL, sum INTEGER,    -- who played it, '' where unknown
    PRIMARY KEY (batch, pair)
) STRICT, WITHOUT ROWID;

CREATE TABLE parameters (
    schema   TEXT NOT NULL,
    position INTEGER NOT NULL,
    name     TEXT NOT NULL,
    PRIMARY KEY (schema, position)
) STRICT, WITHOUT ROWID;

CREATE TABLE quarantined (
    run    INTEGER NOT NULL REFERENCES runs(id) ON DELETE CASCADE,
    key    TEXT NOT NULL,
    name   TEXT NOT NULL,
    reason TEXT NOT NULL,
    since  TEXT NOT NULL, -- UTC
    PRIMARY KEY (run, key)
) STRICT, WITHOUT ROWID;

CREATE TABLE records (
    run    INTEGER PRIMARY KEY REFERENCES runs(id) ON DELETE CASCADE,
    record TEXT NOT NULL,
    sum    TEXT NOT NULL -- SHA-256 of the record, hexadecimal
) STRICT;

CREATE TABLE runs (
    id          INTEGER PRIMARY KEY,
    name        TEXT NOT NULL UNIQUE,
    hash        TEXT NOT NULL,    -- of the configuration: the run's id in weights files
    parent      TEXT NOT NULL,    -- name of the run that it was forked from, '' for none
    engine      TEXT NOT NULL,    -- engine signature
    schema      TEXT NOT NULL,    -- fingerprint of the declared weights
    program     TEXT NOT NULL,    -- commit of the program that began it
    goarch      TEXT NOT NULL,
    golevel     TEXT NOT NULL,    -- GOAMD64 and the like, '' for none
    start       TEXT NOT NULL,    -- player it began with
    rule        TEXT NOT NULL,
    size        INTEGER NOT NULL, -- cells on a side
    nodes       INTEGER NOT NULL, -- limit a move
    optimizer   TEXT NOT NULL,
    seed        TEXT NOT NULL,    -- decimal: it may be greater than SQLite's integers
    budget      INTEGER NOT NULL, -- games
    begun       TEXT NOT NULL,    -- UTC, for people; nothing is ordered by it
    turn        INTEGER NOT NULL, -- greater than that of every run that was begun or resumed before
    steps       INTEGER NOT NULL, -- closed
    games       INTEGER NOT NULL, -- of closed steps
    generations INTEGER NOT NULL, -- closed
    done        INTEGER NOT NULL  -- 1: no step is left
, kind TEXT NOT NULL DEFAULT 'run') STRICT;

CREATE TABLE sets (
    run  INTEGER NOT NULL REFERENCES runs(id) ON DELETE CASCADE,
    name TEXT NOT NULL,
    file TEXT NOT NULL, sum TEXT,
    PRIMARY KEY (run, name)
) STRICT, WITHOUT ROWID;

CREATE TABLE states (
    run   INTEGER PRIMARY KEY REFERENCES runs(id) ON DELETE CASCADE,
    state TEXT NOT NULL,
    sum   TEXT NOT NULL -- SHA-256 of the state, hexadecimal
) STRICT;

CREATE TABLE tasks (
    run    INTEGER NOT NULL REFERENCES runs(id) ON DELETE CASCADE,
    number INTEGER NOT NULL, -- of the run, from 0
    pairs  INTEGER NOT NULL,
    task   BLOB NOT NULL,    -- JSON, gzip
    PRIMARY KEY (run, number)
) STRICT;

CREATE TABLE validations (
    run      INTEGER NOT NULL REFERENCES runs(id) ON DELETE CASCADE,
    number   INTEGER NOT NULL,
    opponent TEXT NOT NULL,
    nodes    INTEGER NOT NULL, -- limit a move
    elo REAL NOT NULL, elo_low REAL NOT NULL, elo_high REAL NOT NULL, -- seen from the champion, 95 %
    r0 INTEGER NOT NULL, r1 INTEGER NOT NULL, r2 INTEGER NOT NULL, r3 INTEGER NOT NULL, r4 INTEGER NOT NULL,
    report   TEXT NOT NULL, -- JSON
    PRIMARY KEY (run, number)
) STRICT, WITHOUT ROWID;

