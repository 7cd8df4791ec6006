import type { Command } from "../command.ts";

export const vaultCommand: Command = {
	name: "vault",
	about: "change the keys of the credentials of a service on this machine",
	positionals: [{ name: "operation", about: "status, rotate or rekey" }],
	flags: [],
	examples: [
		{
			line: "tripline vault status",
			about: "how many keys and credentials there are, and what is unfinished",
		},
		{
			line: "tripline vault rotate",
			about: "new data keys, under which all credentials are encrypted again",
		},
		{ line: "tripline vault rekey", about: "a new master key in the key file; back it up" },
	],
	details: `It runs in the project's folder with the settings of tripline serve, and the service may keep running. An interrupted
operation continues when it is run again. The exit code is 1 if it failed or is incomplete, and 2 if you have to
correct something first. With --json the output goes to stderr.`,
	load: () => import("../serve/vault.ts"),
};
