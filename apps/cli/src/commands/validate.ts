import type { Command } from "../command.ts";

export const validateCommand: Command = {
	name: "validate",
	about: "check workflow documents without saving them",
	positionals: [{ name: "path", about: "files, or folders with *.yaml, *.yml and *.json", isRest: true }],
	flags: [
		{ name: "target", value: "platform", about: "workers: also warn of the free plan's limits" },
		{ name: "local", about: "do not ask the service" },
	],
	examples: [
		{ line: "tripline validate order.yaml", about: "everything that is wrong with it, with line and column" },
		{ line: "tripline validate workflows --target workers", about: "also what would not run on Cloudflare" },
	],
	details: `The service checks, because it knows your own recipes, installed components and credentials. Where it
does not answer, or with --local, the documents are compiled here: with built-in components and the
recipes that come along. Exit code 1 if there is an error; warnings are no errors.`,
	load: () => import("../workflows/validate.ts"),
};
