-- What a row of runs is: 'run' of the tuner, or 'ladder'. Only the first are listed as runs.
ALTER TABLE runs ADD COLUMN kind TEXT NOT NULL DEFAULT 'run';
