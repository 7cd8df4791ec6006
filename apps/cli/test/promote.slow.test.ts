import assert from "node:assert/strict";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, test } from "node:test";
import { startWorld } from "./world.ts";

const [staging, production] = [await startWorld(), await startWorld()];
const { cli, place } = staging;

const document = (name: string, node = 'component: template, text: "{{input.name}}"') => `# about ${name}
name: ${name}
description: Says hello
version: "1"
triplets:
  - input >> ON_SUCCESS >> hello
config:
  hello: { ${node} }
`;

/** A namespace of its own at both services, and a project that names production. */
let spaces = 0;
function createSpace() {
	const namespace = `space${++spaces}`;
	const at = place();
	const services = { production: { base_url: production.service.publicUrl, namespace } };
	const files = { "tripline.json": JSON.stringify({ namespace, services }) };
	const run = (argv: readonly string[], more: Parameters<typeof cli>[1] = {}) =>
		cli(argv, { at, ...more, files: { ...files, ...more.files } });
	const save = async (text: string, ...argv: string[]) => {
		const { code, err, out } = await run(["push", "one.yaml", "--force", ...argv], {
			files: { "one.yaml": text },
		});
		assert.equal(code, 0, err + out);
	};
	const read = async (name: string) => {
		const response = await fetch(
			`${production.service.publicUrl}/webhooks/named/${encodeURIComponent(name)}`,
			{
				headers: { "x-service-api-key": namespace, accept: "application/yaml" },
			},
		);
		return response.ok ? response.text() : null;
	};
	return { namespace, run, save, read };
}

interface Outcome {
	workflows: { name: string; result: string; version_number: number | null }[];
	missing: { kind: string; name: string; needed_by: string[]; hint: string }[];
	error?: string;
}
const listResults = (json: unknown) =>
	(json as Outcome).workflows.map(({ name, result, version_number }) => [name, result, version_number]);

describe("promote", () => {
	test("copies all workflows of the configured service byte for byte, after asking", async () => {
		const { run, save, read } = createSpace();
		await save(document("one"));
		await save(document("two"));
		const questions: string[] = [];
		const answer = (question: string) => {
			questions.push(question);
			return "y";
		};
		const { code, out, err } = await run(["promote", "--to", "production"], { answer });
		assert.equal(code, 0, err);
		assert.match(questions[0] ?? "", /^promote (one, two|two, one) to production\? \(y\/N\)$/);
		assert.match(out, /^one +1 +1 +created$/m);
		assert.equal(await read("one"), document("one"));
		assert.equal(await read("two"), document("two"));
		const versions = await run(["versions", "one", "--service", "production"]);
		assert.match(versions.out, /^1 .* cli +one +current$/m);
	});

	test("shows the difference and replaces; what is equal stays", async () => {
		const { run, save, read } = createSpace();
		await save(document("one"));
		await save(document("two"));
		await run(["promote", "--to", "production", "--yes"]);
		await save(document("one").replace("{{input.name}}", "changed"));
		const dry = await run(["promote", "--to", "production", "--dry-run", "--json"]);
		assert.deepEqual(listResults(dry.json).sort(), [
			["one", "would update", 1],
			["two", "unchanged", 1],
		]);
		assert.equal(await read("one"), document("one"));
		const { code, err, out } = await run(["promote", "--to", "production", "--yes"]);
		assert.equal(code, 0);
		assert.match(
			err,
			/one: replaces version 1 there\n@@.*\n[\s\S]*-{1} {2}hello: .*input\.name.*\n\+ {2}hello: .*changed[\s\S]*changed nodes: hello/,
		);
		assert.match(out, /^one +2 +2 +updated$/m);
	});

	test("takes names, and a source by its name", async () => {
		const { run, save, namespace } = createSpace();
		await save(document("one"));
		await save(document("two"));
		const env = { SERVICE_BASE_URL_STAGING: staging.service.publicUrl, NAMESPACE_STAGING: namespace };
		const argv = ["promote", "two", "--from", "staging", "--to", "production", "--yes", "--json"];
		const { json, err } = await run(argv, { env: { ...env, SERVICE_BASE_URL: "http://127.0.0.1:1" } });
		assert.deepEqual(listResults(json), [["two", "created", 1]], err);
	});

	test("names everything that is missing there, with the command that adds it, and promotes nothing", async () => {
		const { run, save, read } = createSpace();
		const recipe =
			'title: Acme\ntype: header\nfields:\n  - { name: key, secret: true, help: x }\nhosts: [api.acme.example]\ninject: { headers: { x-acme-key: "{key}" } }\n';
		const stdin = '{"key":"secret value"}';
		assert.equal(
			(await run(["auth-recipe", "push", "acme.yaml"], { files: { "acme.yaml": recipe } })).code,
			0,
		);
		assert.equal((await run(["creds", "push", "--name", "my crm", "--recipe", "acme"], { stdin })).code, 0);
		assert.equal((await run(["creds", "push", "--name", "direct", "--recipe", "acme"], { stdin })).code, 0);
		assert.equal((await run(["components", "install", "slugify", "--yes"])).code, 0);
		await save(document("plain"));
		await save(document("helper"));
		await save(document("slugs", 'component: slugify, text: "Hello World"'));
		await save(document("caller", "component: workflow, name: helper"));
		await save(
			document("calls", 'component: http_request, url: "https://api.acme.example/", credential: my crm'),
		);
		await save(
			document(
				"header",
				'component: http_request, url: "https://api.acme.example/", headers: { x: "{{credential.direct.key}}" }',
			),
		);
		const names = ["plain", "slugs", "caller", "calls", "header"];
		const { code, json, out } = await run(["promote", ...names, "--to", "production", "--yes", "--json"]);
		assert.equal(code, 1, out);
		const { missing, error } = json as Outcome;
		assert.deepEqual(
			missing.map(({ kind, name, needed_by }) => [kind, name, needed_by.join()]),
			[
				["component", "slugify", "slugs"],
				["workflow", "helper", "caller"],
				["credential", "my crm", "calls"],
				["auth recipe", "acme", "calls,header"],
				["credential", "direct", "header"],
			],
		);
		assert.match(error ?? "", /^nothing was promoted: 5 missing there/);
		assert.match(missing[0]?.hint ?? "", /^tripline components install slugify@\S+ --service production$/);
		assert.equal(missing[2]?.hint, "tripline creds push --name 'my crm' --recipe acme --service production");
		assert.ok(!out.includes("secret value"));
		assert.equal(await read("plain"), null);

		// What the hints say, done.
		const there = ["--service", "production"];
		await run(["auth-recipe", "push", "acme.yaml", ...there], { files: { "acme.yaml": recipe } });
		for (const name of ["my crm", "direct"])
			await run(["creds", "push", "--name", name, "--recipe", "acme", ...there], { stdin });
		await run(["components", "install", "slugify", "--yes", ...there]);
		const done = await run(["promote", ...names, "helper", "--to", "production", "--yes"]);
		assert.equal(done.code, 0, done.out + done.err);
		assert.equal((await run(["run", "slugs", ...there])).code, 0);
	});

	test("refuses what the target's compiler refuses", async () => {
		const { run, save } = createSpace();
		for (const there of [[], ["--service", "production"]]) {
			const recipe = there.length === 0 ? "github_token" : "bearer_token";
			const stdin =
				there.length === 0 ? '{"token":"long enough"}' : '{"host":"api.example.com","token":"long enough"}';
			const stored = await run(["creds", "push", "--name", "hub", "--recipe", recipe, ...there], { stdin });
			assert.equal(stored.code, 0, stored.out);
		}
		await save(
			document("issues", "component: github.create_issue, credential: hub, owner: a, repo: b, title: c"),
		);
		const { code, out } = await run(["promote", "--to", "production", "--yes"]);
		assert.equal(code, 1);
		assert.match(
			out,
			/^issues:\d+:\d+ error wrong_credential .*bearer_token.*\n[\s\S]*nothing was promoted: 1 error$/m,
		);
	});

	test("does not overwrite a change made there meanwhile", async () => {
		const { run, save, read, namespace } = createSpace();
		await save(document("one"));
		await run(["promote", "--to", "production", "--yes"]);
		await save(document("one").replace("{{input.name}}", "changed"));
		const theirs = document("one").replace("{{input.name}}", "theirs");
		const { code, out } = await run(["promote", "--to", "production", "--yes"], {
			fetch: async (request, init) => {
				if (request.method === "POST" && request.url.includes("/workflows?"))
					await fetch(`${production.service.publicUrl}/workflows`, {
						method: "POST",
						body: theirs,
						headers: { "x-service-api-key": namespace, "content-type": "application/yaml" },
					});
				return fetch(request, init);
			},
		});
		assert.equal(code, 1);
		assert.match(out, /failed: changed there meanwhile; promote again/);
		assert.equal(await read("one"), theirs);
	});

	test("keeps the switch and the other workflows of the target", async () => {
		const { run, save, read } = createSpace();
		await save(document("one"));
		await run(["promote", "--to", "production", "--yes"]);
		await run(["disable", "one", "--yes", "--service", "production"]);
		await save(document("other"), "--service", "production");
		await save(document("one").replace("{{input.name}}", "changed"));
		assert.equal((await run(["promote", "one", "--to", "production", "--yes"])).code, 0);
		assert.match((await run(["disable", "one", "--service", "production"])).out, /already disabled/);
		assert.equal(await read("other"), document("other"));
	});

	test("needs --yes without a terminal, a target, and two different services", async () => {
		const { run, save, read, namespace } = createSpace();
		await save(document("one"));
		const refused = await run(["promote", "--to", "production"]);
		assert.equal(refused.code, 2);
		assert.match(refused.err, /nothing was promoted\. Not a terminal; pass --yes/);
		assert.equal(await read("one"), null);
		assert.match((await run(["promote"])).err, /--to is missing/);
		const same = { SERVICE_BASE_URL_PRODUCTION: staging.service.publicUrl, NAMESPACE_PRODUCTION: namespace };
		const { code, err } = await run(["promote", "--to", "production", "--yes"], { env: same });
		assert.equal(code, 2);
		assert.match(err, /the same service and namespace/);
		assert.equal((await run(["promote", "no such", "--to", "production"])).code, 1);
	});

	test("names the address of the service that does not answer", async () => {
		const { run, save } = createSpace();
		await save(document("one"));
		const env = { SERVICE_BASE_URL_PRODUCTION: "http://127.0.0.1:1" };
		const { code, err } = await run(["promote", "--to", "production", "--yes"], { env });
		assert.equal(code, 1);
		assert.match(err, /the executor at http:\/\/127\.0\.0\.1:1 does not answer/);
	});
});

describe("a named service", () => {
	test("comes from variables first, then from tripline.json and the global file", async () => {
		const { run } = createSpace();
		const get = async (env = {}) =>
			(await run(["config", "get", "base_url", "--service", "production", "--json"], { env })).json as {
				value: string;
				layer: string;
			};
		assert.equal((await get()).value, production.service.publicUrl);
		const other = await get({ SERVICE_BASE_URL_PRODUCTION: "https://other.example/" });
		assert.deepEqual([other.value, other.layer], ["https://other.example/", "environment"]);
		const at = place();
		mkdirSync(join(at.home, ".config/tripline"), { recursive: true });
		const services = { qa: { base_url: "https://qa.example" } };
		writeFileSync(join(at.home, ".config/tripline/config.json"), JSON.stringify({ services }));
		const { json } = await cli(["config", "get", "base_url", "--service", "qa", "--json"], { at });
		assert.equal((json as { layer: string }).layer, "global");
	});

	test("never gets the token of the configured service", async () => {
		const { run } = createSpace();
		const tokens: (string | null)[] = [];
		const listen: typeof fetch = async (request, init) => {
			tokens.push((request as Request).headers.get("authorization"));
			return fetch(request, init);
		};
		const env = { SERVICE_ACCESS_TOKEN: "configured" };
		const calls = [env, { ...env, SERVICE_ACCESS_TOKEN_PRODUCTION: "its own" }];
		for (const each of calls)
			await run(["trash", "--service", "production"], { env: each, fetch: listen as never });
		await run(["trash"], { env, fetch: listen as never });
		assert.deepEqual(tokens, [null, "Bearer its own", "Bearer configured"]);
	});

	test("that does not exist is named, with the nearest one", async () => {
		const { run } = createSpace();
		const { code, err } = await run(["trash", "--service", "producton"]);
		assert.equal(code, 2);
		assert.match(err, /there is no service "producton"\n {2}did you mean: production/);
		assert.match((await run(["trash", "--service", "qa"])).err, /set SERVICE_BASE_URL_QA, or add it/);
		assert.equal((await run(["trash", "--service", "../x"])).code, 2);
	});

	test("with wrong settings in the file is explained", async () => {
		const { run } = createSpace();
		const cases: [services: unknown, said: RegExp][] = [
			[[], /services must be an object/],
			[{ production: "x" }, /services\.production must be an object/],
			[{ production: { url: "x" } }, /services\.production: "url" is not a setting of a service/],
			[{ production: { base_url: 1 } }, /services\.production\.base_url must be a string/],
			[{ production: { base_url: "ftp://x" } }, /base_url must begin with https:\/\/ or http:\/\//],
		];
		for (const [services, said] of cases) {
			const files = { "tripline.json": JSON.stringify({ services }) };
			const { code, err } = await run(["trash", "--service", "production"], { files });
			assert.equal(code, 1);
			assert.match(err, said);
		}
	});
});

test("requests carry the version of the command line", async () => {
	const agents: (string | null)[] = [];
	await cli(["trash"], {
		fetch: (request, init) => {
			agents.push(request.headers.get("user-agent"));
			return fetch(request, init);
		},
	});
	assert.deepEqual(agents, ["tripline-cli/0.0.0-test"]);
});
