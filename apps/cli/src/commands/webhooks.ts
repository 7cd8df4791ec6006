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

export const webhooksTestCommand: Command = {
	name: "webhooks test",
	about: "show how to call a workflow from outside, or call it",
	positionals: [{ name: "workflow", about: "its name, or the URL of a webhook" }],
	flags: [
		{ name: "send", about: "call the public address and print the answer" },
		{
			name: "input",
			value: "json",
			about: "the input: a JSON object, @file, or - for standard input; default a sample of input_schema",
		},
		{ name: "form", about: "send the input as a form" },
		{ name: "query", about: "send the input as query parameters, by GET" },
		{ name: "method", value: "name", about: "another HTTP method" },
		{ name: "header", value: "'Name: value'", about: "a further header", isMany: true },
		{
			name: "secret-file",
			value: "path",
			about: "sign the call with the secret in this file, - for standard input; or set WEBHOOK_SECRET",
		},
		{
			name: "token-file",
			value: "path",
			about: "send the token in this file as trigger.auth says; or set WEBHOOK_TOKEN",
		},
		{
			name: "from",
			value: "service",
			about: "show what to set at GitHub, Slack, Stripe, Shopify and others",
		},
	],
	examples: [
		{ line: "tripline webhooks test orders", about: "what it takes and answers, with curl commands" },
		{ line: "tripline webhooks test orders --send", about: "call it with a sample input" },
		{
			line: `tripline webhooks test orders --send --form --input '{"name":"Ada"}'`,
			about: "call it as an HTML form does",
		},
		{
			line: "tripline webhooks test orders --send --secret-file secret.txt",
			about: "sign the call as the workflow's signature requires",
		},
		{ line: "tripline webhooks test orders --from github", about: "how GitHub can call it" },
	],
	details: `Without --send nothing is called. A refusal is explained: which header, type or method is missing.
Exit code 1 if the answer is an error. Files with secrets must be readable by you alone (chmod 600).
For basic authentication the token is name:password.
With the URL of a webhook with a token, whose document cannot be read, calls are made as JSON by POST.`,
	load: () => import("../webhook-test/test.ts"),
};
