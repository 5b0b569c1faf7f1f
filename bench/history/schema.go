package history

// schemaVersion is the PRAGMA user_version of files written by this program.
const schemaVersion = 1

// schema: a run is one file of results; its samples are JSON arrays of the
// values in the order of measurement; spent is the time that a result of a case
// took.
const schema = `
CREATE TABLE run (
	id       INTEGER PRIMARY KEY,
	digest   TEXT NOT NULL UNIQUE,
	revision TEXT NOT NULL,
	started  TEXT NOT NULL,
	machine  TEXT NOT NULL
);
CREATE TABLE config (
	run   INTEGER NOT NULL REFERENCES run(id),
	key   TEXT NOT NULL,
	value TEXT NOT NULL,
	PRIMARY KEY (run, key, value)
) WITHOUT ROWID;
CREATE TABLE sample (
	run     INTEGER NOT NULL REFERENCES run(id),
	package TEXT NOT NULL,
	name    TEXT NOT NULL,
	unit    TEXT NOT NULL,
	exact   INTEGER NOT NULL,
	better  INTEGER NOT NULL,
	samples TEXT NOT NULL,
	PRIMARY KEY (run, package, name, unit)
) WITHOUT ROWID;
CREATE TABLE spent (
	run     INTEGER NOT NULL REFERENCES run(id),
	package TEXT NOT NULL,
	name    TEXT NOT NULL,
	seconds REAL NOT NULL,
	PRIMARY KEY (run, package, name)
) WITHOUT ROWID;
PRAGMA user_version = 1;
`
