PRAGMA foreign_keys=OFF;
BEGIN TRANSACTION;
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
INSERT INTO batches VALUES(1,1,0,0,'generation 0',1000,'["","huang"]',2,'9261f69bb3189d665a4429df81cadebe');
INSERT INTO batches VALUES(2,1,1,0,'generation 0',1000,'["","huang"]',2,'9261f69bb3189d665a4429df81cadebe');
CREATE TABLE champions (
    run        INTEGER NOT NULL,
    generation INTEGER NOT NULL,
    weights    TEXT NOT NULL, sum TEXT, -- JSON array in the order of parameters
    PRIMARY KEY (run, generation),
    FOREIGN KEY (run, generation) REFERENCES generations(run, generation) ON DELETE CASCADE
) STRICT, WITHOUT ROWID;
INSERT INTO champions VALUES(1,0,'[5,-6]','03723c1a81fc22797fe2777964709fb1cb5a7a2777671978c848332f6b7af304');
CREATE TABLE checks (
    run    INTEGER NOT NULL REFERENCES runs(id) ON DELETE CASCADE,
    number INTEGER NOT NULL,
    games  INTEGER NOT NULL, -- of the evolution before it
    r0 INTEGER NOT NULL, r1 INTEGER NOT NULL, r2 INTEGER NOT NULL, r3 INTEGER NOT NULL, r4 INTEGER NOT NULL,
    PRIMARY KEY (run, number)
) STRICT, WITHOUT ROWID;
INSERT INTO checks VALUES(1,0,10,0,0,0,0,3);
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
INSERT INTO games VALUES(1,0,0,'B',21,1,0,X'00d2d3d4d5d6d7d8d9dadbdcdddedfe0c3c4c5c6c7','crash','B','crash: it ended');
INSERT INTO games VALUES(1,0,1,'W',21,1,0,X'00d2d3d4d5d6d7d8d9dadbdcdddedfe0c3c4c5c6c7',NULL,NULL,NULL);
INSERT INTO games VALUES(1,0,2,'B',21,1,0,X'00d2d3d4d5d6d7d8d9dadbdcdddedfe0c3c4c5c6c7',NULL,NULL,NULL);
INSERT INTO games VALUES(1,0,3,'W',21,1,0,X'00d2d3d4d5d6d7d8d9dadbdcdddedfe0c3c4c5c6c7','timeout','W','timeout: no answer');
INSERT INTO games VALUES(1,1,0,'W',22,0,1,X'01d2d3d4d5d6d7d8d9dadbdcdddedfe0c3c4c5c6c7c8',NULL,NULL,NULL);
INSERT INTO games VALUES(1,1,1,'D',22,0,1,X'01d2d3d4d5d6d7d8d9dadbdcdddedfe0c3c4c5c6c7c8',NULL,NULL,NULL);
INSERT INTO games VALUES(2,0,0,'B',21,1,0,X'00d2d3d4d5d6d7d8d9dadbdcdddedfe0c3c4c5c6c7','crash','B','crash: it ended');
INSERT INTO games VALUES(2,0,1,'W',21,1,0,X'00d2d3d4d5d6d7d8d9dadbdcdddedfe0c3c4c5c6c7',NULL,NULL,NULL);
INSERT INTO games VALUES(2,0,2,'B',21,1,0,X'00d2d3d4d5d6d7d8d9dadbdcdddedfe0c3c4c5c6c7',NULL,NULL,NULL);
INSERT INTO games VALUES(2,0,3,'W',21,1,0,X'00d2d3d4d5d6d7d8d9dadbdcdddedfe0c3c4c5c6c7','timeout','W','timeout: no answer');
INSERT INTO games VALUES(2,1,0,'W',22,0,1,X'01d2d3d4d5d6d7d8d9dadbdcdddedfe0c3c4c5c6c7c8',NULL,NULL,NULL);
INSERT INTO games VALUES(2,1,1,'D',22,0,1,X'01d2d3d4d5d6d7d8d9dadbdcdddedfe0c3c4c5c6c7c8',NULL,NULL,NULL);
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
INSERT INTO gates VALUES(1,0,0,0,'huang',1,'accept H1',0.0,10.0,5.0,15.0,0,0,0,0,0,'{}');
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
INSERT INTO generations VALUES(1,0,'ga',20,0.2,0.1,30.0,10.0,2);
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
INSERT INTO genomes VALUES(1,0,0,30.0,1,2,3,4,5,'[0.5,-0.25]');
CREATE TABLE migrations (
    version INTEGER PRIMARY KEY,
    sqlite  TEXT NOT NULL -- its version at the time
) STRICT;
INSERT INTO migrations VALUES(1,'3.54.1');
INSERT INTO migrations VALUES(2,'3.54.1');
INSERT INTO migrations VALUES(3,'3.54.1');
INSERT INTO migrations VALUES(4,'3.54.1');
INSERT INTO migrations VALUES(5,'3.54.1');
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
INSERT INTO pairs VALUES(1,0,0,1,1,NULL,'worker 1',-446376429977877147);
INSERT INTO pairs VALUES(1,1,0,1,1,1,'worker 1',8245173873385715015);
INSERT INTO pairs VALUES(2,0,0,1,1,NULL,'worker 1',-879151239835099592);
INSERT INTO pairs VALUES(2,1,0,1,1,1,'worker 1',-135176019489874856);
CREATE TABLE parameters (
    schema   TEXT NOT NULL,
    position INTEGER NOT NULL,
    name     TEXT NOT NULL,
    PRIMARY KEY (schema, position)
) STRICT, WITHOUT ROWID;
INSERT INTO parameters VALUES('s1',0,'line.a');
INSERT INTO parameters VALUES('s1',1,'line.b');
CREATE TABLE records (
    run    INTEGER PRIMARY KEY REFERENCES runs(id) ON DELETE CASCADE,
    record TEXT NOT NULL,
    sum    TEXT NOT NULL -- SHA-256 of the record, hexadecimal
) STRICT;
INSERT INTO records VALUES(1,'{"run":"golden"}','70e65eedcc7b9849a2f508a010a14623be017522c5fc4410869c43434e1f22a6');
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
INSERT INTO runs VALUES(1,'golden','0123','other','e1','s1','abc','amd64','v1','huang','freestyle',15,1000,'ga','18446744073709551615',400,'2026-01-02T03:04:05Z',1,1,20,1,0,'run');
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
INSERT INTO states VALUES(1,'{"a":1}','015abd7f5cc57a2dd94b7590f04ad8084273905ee33ec5cebeae62276a97f862');
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
INSERT INTO validations VALUES(1,0,'huang',1000,0.0,0.0,0.0,0,0,0,0,0,'{}');
CREATE TABLE tasks (
    run    INTEGER NOT NULL REFERENCES runs(id) ON DELETE CASCADE,
    number INTEGER NOT NULL, -- of the run, from 0
    pairs  INTEGER NOT NULL,
    task   BLOB NOT NULL,    -- JSON, gzip
    PRIMARY KEY (run, number)
) STRICT;

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

CREATE TABLE marks (
    run    INTEGER NOT NULL REFERENCES runs(id) ON DELETE CASCADE,
    number INTEGER NOT NULL, -- tasks before it
    step   INTEGER NOT NULL, -- steps closed before it
    state  BLOB NOT NULL,    -- JSON, gzip
    PRIMARY KEY (run, number)
) STRICT;

CREATE TABLE quarantined (
    run    INTEGER NOT NULL REFERENCES runs(id) ON DELETE CASCADE,
    key    TEXT NOT NULL,
    name   TEXT NOT NULL,
    reason TEXT NOT NULL,
    since  TEXT NOT NULL, -- UTC
    PRIMARY KEY (run, key)
) STRICT, WITHOUT ROWID;
INSERT INTO tasks VALUES(1,0,2,X'1F8B08000000000000FFAAAE0500000000FFFF');
INSERT INTO authors VALUES(1,0,0,'key 1',-7,1);
INSERT INTO authors VALUES(1,0,1,'',7,0);
INSERT INTO quarantined VALUES(1,'key 2','liar','forged','2026-01-02T03:04:05Z');
COMMIT;
PRAGMA user_version=5;
PRAGMA application_id=1366193262;
PRAGMA journal_mode=wal;
