-- What the workers of a cluster were given to play, with the weights of its players: all that is needed to play it again.
CREATE TABLE tasks (
    run    INTEGER NOT NULL REFERENCES runs(id) ON DELETE CASCADE,
    number INTEGER NOT NULL, -- of the run, from 0
    pairs  INTEGER NOT NULL,
    task   BLOB NOT NULL,    -- JSON, gzip
    PRIMARY KEY (run, number)
) STRICT;

-- Who played which pair of a task, and whether somebody else found the same.
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

-- States of a run on a cluster, to go back to when results turn out to be forged.
CREATE TABLE marks (
    run    INTEGER NOT NULL REFERENCES runs(id) ON DELETE CASCADE,
    number INTEGER NOT NULL, -- tasks before it
    step   INTEGER NOT NULL, -- steps closed before it
    state  BLOB NOT NULL,    -- JSON, gzip
    PRIMARY KEY (run, number)
) STRICT;

-- Workers that a run takes nothing from any more.
CREATE TABLE quarantined (
    run    INTEGER NOT NULL REFERENCES runs(id) ON DELETE CASCADE,
    key    TEXT NOT NULL,
    name   TEXT NOT NULL,
    reason TEXT NOT NULL,
    since  TEXT NOT NULL, -- UTC
    PRIMARY KEY (run, key)
) STRICT, WITHOUT ROWID;
