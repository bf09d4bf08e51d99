-- SHA-256, hexadecimal, of the file and of the weights; NULL of rows that version 4 or an earlier one has stored.
ALTER TABLE sets ADD COLUMN sum TEXT;
ALTER TABLE champions ADD COLUMN sum TEXT;
