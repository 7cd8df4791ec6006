import type { Command } from "../command.ts";

export const serveCommand: Command = {
	name: "serve",
	about: "run the service on this machine, in the foreground",
	positionals: [],
	flags: [],
	examples: [
		{ line: "tripline serve", about: "on http://127.0.0.1:8484, data in ./data" },
		{ line: "PORT=9000 DATA_DIR=~/tripline tripline serve", about: "settings are environment variables" },
	],
	details: `It runs in the project's folder (see tripline config --help): settings come from the environment and from
.env there, and relative paths in them are relative to that folder. Ctrl-C stops it, and its exit code is
passed on. It needs Node 24 or newer; with an older one, a newer Node is downloaded and used.
With --json the output of the service goes to stderr.`,
	load: () => import("../serve/serve.ts"),
};
