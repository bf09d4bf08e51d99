-- SHA-256 of the file and of the array, hexadecimal; NULL of what a version before this one has stored.
ALTER TABLE sets ADD COLUMN sum TEXT;
ALTER TABLE champions ADD COLUMN sum TEXT;
