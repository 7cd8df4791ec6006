import type { Command } from "../command.ts";

export const validateCommand: Command = {
	name: "validate",
	about: "check workflow documents without saving them",
	positionals: [{ name: "path", about: "files, or folders with *.yaml, *.yml and *.json", isRest: true }],
	flags: [
		{ name: "target", value: "platform", about: "workers: also warn about the free plan's limits" },
		{ name: "local", about: "check without the service" },
	],
	examples: [
		{ line: "tripline validate order.yaml", about: "all errors, with line and column" },
		{
			line: "tripline validate workflows --target workers",
			about: "also limits that it would exceed on Cloudflare",
		},
	],
	details: `The service checks the documents, because it knows your recipes, installed components and credentials.
If it does not answer, or with --local, they are compiled here, with the built-in components and the
bundled recipes only. Exit code 1 if there is an error; warnings do not count.`,
	load: () => import("../workflows/validate.ts"),
};
