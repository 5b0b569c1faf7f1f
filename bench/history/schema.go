package history

// schemaVersion is the PRAGMA user_version of files written by this program.
const schemaVersion = 1

// schema: a run is one file of results; its samples are JSON arrays of the
// values in the order of measurement. Older files have two more tables, which are not
// read.
const schema = `
CREATE TABLE run (
	id       INTEGER PRIMARY KEY,
	digest   TEXT NOT NULL UNIQUE,
	revision TEXT NOT NULL,
	started  TEXT NOT NULL,
	machine  TEXT NOT NULL
);
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
PRAGMA user_version = 1;
`
