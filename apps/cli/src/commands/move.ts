import type { Command } from "../command.ts";

export const moveCommand: Command = {
	name: "move",
	about: "move the data of a service on this machine to PostgreSQL, or back",
	positionals: [],
	flags: [
		{ name: "to", value: "URL|FOLDER", about: "a PostgreSQL database, or a data folder to move back to" },
		{ name: "dry-run", about: "only show the tables and how many rows they have" },
	],
	examples: [
		{
			line: "PGPASSWORD=... tripline move --to postgres://tripline@db.example:5432/tripline",
			about: "from DATA_DIR; the password may be in the URL too",
		},
		{ line: "tripline move --to ./data-again", about: "with DATABASE_URL set: back from PostgreSQL" },
		{ line: "tripline move --to postgres://127.0.0.1/tripline --dry-run", about: "what would be copied" },
	],
	details: `Stop the service first. It runs in the project's folder with the settings of tripline serve: DATA_DIR or DATABASE_URL
is where the data is now, and DATABASE_SCHEMA is the prefix of the schemas in PostgreSQL. The target must be empty.
Every row is copied and then compared. After an interruption, run it again: it continues where it stopped.
The source keeps its data, but the service no longer starts on it. At the end it prints what to set next, and what
has to happen with the bytes of files, which are not in a database.`,
	load: () => import("../serve/move.ts"),
};
