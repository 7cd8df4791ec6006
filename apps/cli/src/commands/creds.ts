import type { Command } from "../command.ts";
import { signInFlags } from "../credentials/sign-in-flags.ts";

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

export const credsListCommand: Command = {
	name: "creds list",
	about: "list the credentials, without their values",
	positionals: [],
	flags: [],
	examples: [
		{ line: "tripline creds list", about: "each with its auth recipe, account and last use" },
		{
			line: "tripline creds list --json | jq -r '.credentials[] | select(.sign_in.state == \"required\").name'",
			about: "those whose owner must sign in",
		},
	],
	load: () => import("../credentials/list.ts"),
};

export const credsSignInCommand: Command = {
	name: "creds sign-in",
	about: "sign in at a service as a person, in a browser",
	positionals: [{ name: "name", about: "the credential, of an auth recipe that signs in" }],
	flags: signInFlags,
	examples: [
		{ line: "tripline creds sign-in mail", about: "prints a link and waits until you have signed in" },
		{ line: "tripline creds sign-in mail --open", about: "opens it" },
		{ line: "tripline creds sign-in mail --no-wait --json | jq -r .url", about: "only the link" },
	],
	details: `Store the client first, with tripline creds push: its id and secret are on the page where you registered it with the
service. The redirect URL to register there is <BASE_URL>/oauth/callback/<auth recipe>.

The link can be used once, within 10 minutes, in any browser.`,
	load: () => import("../credentials/sign-in.ts"),
};

export const credsTestCommand: Command = {
	name: "creds test",
	about: "log in with a credential of a database or a mail server",
	positionals: [{ name: "name", about: "the credential" }],
	flags: [],
	examples: [{ line: "tripline creds test shop", about: "says whether the login works, within 10 seconds" }],
	load: () => import("../credentials/test.ts"),
};
