-- The first 8 bytes of SHA-256 over a pair's rows and what it was played for; NULL of pairs that version 2 or 1 has stored.
ALTER TABLE pairs ADD COLUMN sum INTEGER;
