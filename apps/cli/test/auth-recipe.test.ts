import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { startWorld } from "./world.ts";

const world = await startWorld();

const ACME = `
title: Acme
type: header
fields:
  - { name: key, secret: true, help: From the settings page }
hosts: [api.acme.example]
inject: { headers: { x-acme-key: "{key}" } }
`;

describe("auth-recipe", () => {
	test("list shows each with its fields and hosts", async () => {
		const { code, out, err } = await world.cli(["auth-recipe", "list"]);
		assert.equal(code, 0, err);
		assert.match(out, /^bearer_token +seeded +\{host\} +host token$/m);
	});

	test("show explains the fields, and what goes into a request", async () => {
		const { code, out } = await world.cli(["auth-recipe", "show", "bearer_token"]);
		assert.equal(code, 0);
		assert.match(out, /^ {2}host +not secret +The only host/m);
		assert.match(out, /^ {2}token +secret +Sent as the header/m);
		assert.match(out, /^allowed hosts: \{host\}$/m);
	});

	test("show suggests the nearest id for an unknown one", async () => {
		const { code, err } = await world.cli(["auth-recipe", "show", "bearer_tokn"]);
		assert.equal(code, 1);
		assert.match(err, /there is no auth recipe "bearer_tokn", did you mean bearer_token\?/);
	});

	test("push stores an auth recipe under the file's name, and credentials can then be pushed for it", async () => {
		const env = { NAMESPACE: "acme" };
		const { code, err } = await world.cli(["auth-recipe", "push", "acme.yaml"], {
			files: { "acme.yaml": ACME },
			env,
		});
		assert.equal(code, 0, err);
		const shown = await world.cli(["auth-recipe", "show", "acme", "--json"], { env });
		assert.deepEqual((shown.json as { hosts: unknown }).hosts, ["api.acme.example"]);
		const stored = await world.cli(["creds", "push", "--name", "acme", "--recipe", "acme"], {
			stdin: '{"key": "k-91723"}',
			env,
		});
		assert.equal(stored.code, 0, stored.err);
	});

	test("push accepts the JSON output of show under another id", async () => {
		const env = { NAMESPACE: "copied" };
		const { out } = await world.cli(["auth-recipe", "show", "bearer_token", "--json"]);
		const { code, err, json } = await world.cli(
			["auth-recipe", "push", "own.json", "--id", "own", "--json"],
			{
				files: { "own.json": out },
				env,
			},
		);
		assert.equal(code, 0, err);
		assert.equal((json as { id: string }).id, "own");
	});

	test("push reports every field that the executor rejects", async () => {
		const { code, err } = await world.cli(["auth-recipe", "push", "acme.yaml"], {
			files: { "acme.yaml": ACME.replace("title: Acme", "titel: Acme").replace("x-acme-key", "x acme") },
		});
		assert.equal(code, 1);
		assert.match(err, /titel/);
	});

	test("push reports line and column of invalid YAML", async () => {
		const { code, err } = await world.cli(["auth-recipe", "push", "acme.yaml"], {
			files: { "acme.yaml": "title: [Acme\ntype: header\n" },
		});
		assert.equal(code, 1);
		assert.match(err, /^tripline: acme\.yaml:\d+:\d+: /);
	});

	test("push names the missing file", async () => {
		const { code, err } = await world.cli(["auth-recipe", "push", "none.yaml"]);
		assert.equal(code, 1);
		assert.match(err, /there is no file none\.yaml/);
	});
});
