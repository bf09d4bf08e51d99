-- What a row of runs is: 'run' of the tuner, 'ladder' or 'match'. Only the first are listed as runs.
ALTER TABLE runs ADD COLUMN kind TEXT NOT NULL DEFAULT 'run';
