import type { Command } from "../command.ts";

export const credsPushCommand: Command = {
	name: "creds push",
	about: "store credentials, from a file or one by one",
	positionals: [
		{ name: "file", about: "YAML, or lines as in .env; default: credentials.yaml", isOptional: true },
	],
	flags: [
		{ name: "name", value: "name", about: "store one credential with this name" },
		{ name: "recipe", value: "id", about: "its auth recipe" },
	],
	examples: [
		{ line: "tripline creds push", about: "all in credentials.yaml" },
		{ line: "tripline creds push secrets.env", about: "all in a file of NAME__FIELD=value lines" },
		{ line: "tripline creds push --name crm --recipe bearer_token", about: "asks for each field" },
		{
			line: "tripline creds push --name crm --recipe bearer_token < fields.json",
			about: "fields from standard input, as a JSON object",
		},
	],
	details: `A file must be readable by you alone (chmod 600). credentials.yaml:

  crm:
    auth_recipe: bearer_token
    fields: { host: api.example.com, token: "\${CRM_TOKEN}" }

A value that is exactly \${NAME} is read from the environment, or from .env. The same as lines in a .env file:

  CRM__AUTH_RECIPE=bearer_token
  CRM__HOST=api.example.com
  CRM__TOKEN=...

Names become lower case. Lines without __ in the name are ignored.
Fields are checked against the auth recipe before anything is sent. Values are never printed.`,
	load: () => import("../credentials/push.ts"),
};
