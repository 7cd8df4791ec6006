import type { Command } from "../command.ts";

export const downgradeCommand: Command = {
	name: "downgrade",
	about: "let the version before this one use the data of a service on this machine",
	positionals: [],
	flags: [{ name: "to", value: "VERSION", about: "the version before this one" }],
	examples: [{ line: "tripline downgrade --to 1.3.1", about: "then start version 1.3.1" }],
	details: `Stop the service first. It runs in the project's folder with the settings of tripline serve. Nothing is deleted:
unfinished runs are put aside and continue when a newer version starts again. PostgreSQL is not supported by the
version before: move the data to a folder first.`,
	load: () => import("../serve/downgrade.ts"),
};
