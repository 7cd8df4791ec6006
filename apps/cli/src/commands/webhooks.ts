import type { Command } from "../command.ts";

export const webhooksListCommand: Command = {
	name: "webhooks list",
	about: "list webhooks: URLs with a token, each for one workflow",
	positionals: [],
	flags: [],
	examples: [{ line: "tripline webhooks list", about: "all of them, with their URLs" }],
	load: async () => ({ run: (await import("../workflows/webhooks.ts")).list }),
};

export const webhooksCreateCommand: Command = {
	name: "webhooks create",
	about: "create a webhook with a token for a workflow document",
	positionals: [{ name: "path", about: "a file with triplets or a graph" }],
	flags: [],
	examples: [
		{ line: "tripline webhooks create hook.yaml", about: "prints its URL: anyone who knows it can call it" },
	],
	load: async () => ({ run: (await import("../workflows/webhooks.ts")).create }),
};

export const webhooksDeleteCommand: Command = {
	name: "webhooks delete",
	about: "revoke a webhook with a token",
	positionals: [{ name: "token", about: "the token, or the webhook's URL" }],
	flags: [],
	examples: [{ line: "tripline webhooks delete 9wHc…", about: "its URL answers 404 from then on" }],
	load: async () => ({ run: (await import("../workflows/webhooks.ts")).remove }),
};
