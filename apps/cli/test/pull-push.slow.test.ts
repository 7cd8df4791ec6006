import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, test } from "node:test";
import { startWorld } from "./world.ts";

const { cli, place, service } = await startWorld();

const document = (name: string, text: string) => `# about ${name}: 說明
name: ${name}
description: Says hello   # kept as written
version: "1"
triplets:
  - input >> ON_SUCCESS >> hello
config:
  hello: { component: template, text: "${text}" }
`;

/** A namespace of its own, so that a test sees only its own workflows. */
let spaces = 0;
function createSpace() {
	const namespace = `space${++spaces}`;
	const at = place();
	return {
		at,
		namespace,
		run: (argv: readonly string[], more: Parameters<typeof cli>[1] = {}) =>
			cli(argv, { at, ...more, env: { NAMESPACE: namespace, ...more.env } }),
		/** A change by somebody else. */
		save: async (body: string) => {
			const response = await fetch(`${service.publicUrl}/workflows`, {
				method: "POST",
				body,
				headers: { "x-service-api-key": namespace, "content-type": "application/yaml" },
			});
			assert.ok(response.ok, await response.text());
		},
		read: (path: string) => readFileSync(join(at.cwd, path), "utf8"),
		write: (path: string, text: string) => {
			mkdirSync(join(at.cwd, path, ".."), { recursive: true });
			writeFileSync(join(at.cwd, path), text);
		},
	};
}

interface Outcome {
	workflows: { name: string; file: string | null; result: string; version_number?: number }[];
	conflicts?: { name: string; base: number; current: number | null; by: string | null }[];
	error?: string;
	not_deployed?: string[];
}
const listResults = (json: unknown) => (json as Outcome).workflows.map(({ name, result }) => [name, result]);

describe("pull", () => {
	test("writes every workflow to a file, byte for byte", async () => {
		const { run, save, read } = createSpace();
		const odd = document("訂單 odd", "one").replaceAll("\n", "\r\n");
		await save(document("orders", "one"));
		await save(odd);
		const { code, out, err } = await run(["pull"]);
		assert.equal(code, 0, err);
		assert.match(err, /^workflows\/orders\.yaml: new$/m);
		assert.match(out, /^orders +1 +workflows\/orders\.yaml +created$/m);
		assert.equal(read("workflows/orders.yaml"), document("orders", "one"));
		assert.equal(read("workflows/訂單 odd.yaml"), odd);
		assert.deepEqual(listResults((await run(["pull", "--json"])).json).sort(), [
			["orders", "unchanged"],
			["訂單 odd", "unchanged"],
		]);
	});

	test("writes a workflow that was saved as JSON as YAML that can be pushed unchanged", async () => {
		const { run, namespace } = createSpace();
		const body = JSON.stringify({
			...{ name: "made", description: "x", version: "1", triplets: ["input >> ON_SUCCESS >> hello"] },
			config: { hello: { component: "template", text: "hi" } },
		});
		const headers = { "x-service-api-key": namespace, "content-type": "application/json" };
		await fetch(`${service.publicUrl}/workflows`, { method: "POST", body, headers });
		assert.equal((await run(["pull", "made"])).code, 0);
		assert.deepEqual(listResults((await run(["push", "workflows", "--json"])).json), [["made", "unchanged"]]);
	});

	test("a name from the service stays inside the folder, and two names get two files", async () => {
		const { run, save, at } = createSpace();
		for (const name of ['"..\\\\evil"', '"..\\\\\\\\evil"', "evil"]) await save(document(name, "one"));
		const { code, err } = await run(["pull"]);
		assert.equal(code, 0, err);
		assert.deepEqual(readdirSync(join(at.cwd, "workflows")).sort(), [
			"evil-2.yaml",
			"evil-3.yaml",
			"evil.yaml",
		]);
		assert.ok(!existsSync(join(at.cwd, "evil.yaml")));
		assert.equal((await run(["push", "workflows"])).code, 0);
	});

	test("two names that are too long for a file system get two files", async () => {
		const { run, save, at } = createSpace();
		for (const end of ["一", "二"]) await save(document("長".repeat(120) + end, "one"));
		assert.equal((await run(["pull"])).code, 0);
		assert.equal(readdirSync(join(at.cwd, "workflows")).length, 2);
		assert.equal((await run(["push", "workflows"])).code, 0);
	});

	test("keeps the file that a workflow has, whatever its name", async () => {
		const { run, save, read, write, at } = createSpace();
		write("workflows/deep/mine.yml", document("orders", "one"));
		await save(document("orders", "one"));
		assert.equal((await run(["pull"])).code, 0);
		await save(document("orders", "two"));
		const { code, err } = await run(["pull", "--yes"]);
		assert.equal(code, 0, err);
		assert.match(err, /-{1} {2}hello: .*one.*\n\+ {2}hello: .*two/);
		assert.equal(read("workflows/deep/mine.yml"), document("orders", "two"));
		assert.deepEqual(readdirSync(join(at.cwd, "workflows")), ["deep"]);
	});

	test("--to chooses the folder", async () => {
		const { run, save, read } = createSpace();
		await save(document("orders", "one"));
		assert.equal((await run(["pull", "--to", "other"])).code, 0);
		assert.equal(read("other/orders.yaml"), document("orders", "one"));
	});

	test("asks before it replaces files, needs --yes without a terminal, and --dry-run writes nothing", async () => {
		const { run, save, read } = createSpace();
		await save(document("orders", "one"));
		const dry = await run(["pull", "--dry-run", "--json"]);
		assert.deepEqual(listResults(dry.json), [["orders", "would create"]]);
		assert.throws(() => read("workflows/orders.yaml"));
		await run(["pull"]);
		await save(document("orders", "two"));
		const questions: string[] = [];
		const answer = (question: string) => {
			questions.push(question);
			return "n";
		};
		assert.equal((await run(["pull"], { answer })).code, 1);
		assert.deepEqual(questions, ["replace workflows/orders.yaml? (y/N)"]);
		const refused = await run(["pull"]);
		assert.equal(refused.code, 2);
		assert.match(refused.err, /nothing was pulled\. Not a terminal; pass --yes/);
		assert.deepEqual(listResults((await run(["pull", "--dry-run", "--json"])).json), [
			["orders", "would update"],
		]);
		assert.equal(read("workflows/orders.yaml"), document("orders", "one"));
	});

	test("refuses to overwrite local changes if the workflow changed too; --force does it", async () => {
		const { run, save, read, write } = createSpace();
		await save(document("orders", "one"));
		await save(document("other", "one"));
		await run(["pull"]);
		write("workflows/orders.yaml", document("orders", "mine"));
		await save(document("orders", "theirs"));
		await save(document("other", "two"));
		const { code, out } = await run(["pull", "--yes"]);
		assert.equal(code, 1);
		assert.match(out, /-{1} {2}hello: .*mine.*\n\+ {2}hello: .*theirs/);
		assert.match(out, /orders\.yaml: it has local changes\nnothing was pulled: 1 file would be overwritten/);
		assert.equal(read("workflows/orders.yaml"), document("orders", "mine"));
		assert.equal(read("workflows/other.yaml"), document("other", "one"));
		assert.equal(((await run(["pull", "--yes", "--json"])).json as Outcome).workflows[0]?.result, "conflict");
		assert.equal((await run(["pull", "--yes", "--force"])).code, 0);
		assert.equal(read("workflows/orders.yaml"), document("orders", "theirs"));
	});

	test("keeps local changes of a workflow that has not changed", async () => {
		const { run, save, read, write } = createSpace();
		await save(document("orders", "one"));
		await run(["pull"]);
		write("workflows/orders.yaml", document("orders", "mine"));
		const { code, json } = await run(["pull", "--json"]);
		assert.equal(code, 0);
		assert.deepEqual(listResults(json), [["orders", "local changes kept"]]);
		assert.equal(read("workflows/orders.yaml"), document("orders", "mine"));
	});

	test("refuses a file that it has never pulled, and one that is JSON while the text is not", async () => {
		const { run, save, write } = createSpace();
		await save(document("orders", "one"));
		write("workflows/orders.yaml", "name: orders\ntriplets: [\n");
		const { code, out } = await run(["pull", "--yes"]);
		assert.equal(code, 1);
		assert.match(out, /it has local changes/);
		const other = createSpace();
		await other.save(document("orders", "one"));
		const json = { name: "orders", description: "x", version: "1", triplets: ["input >> then >> hello"] };
		other.write("workflows/orders.json", JSON.stringify(json));
		assert.match((await other.run(["pull", "--force"])).out, /the deployed text is not JSON/);
	});

	test("keeps JSON as JSON", async () => {
		const { run, save, read } = createSpace();
		const json = `${JSON.stringify({ name: "orders", description: "x", version: "1", triplets: ["input >> ON_SUCCESS >> hello"], config: { hello: { component: "template", text: "hi" } } }, null, "\t")}\n`;
		await save(json);
		assert.equal((await run(["pull"])).code, 0);
		assert.equal(read("workflows/orders.json"), json);
	});

	test("writes a document that is too long for YAML as JSON, which can be pushed", async () => {
		const { run, namespace, read } = createSpace();
		const long = {
			...{ name: "long", description: "x", version: "1", triplets: ["input >> ON_SUCCESS >> hello"] },
			config: { hello: { component: "template", text: "long ".repeat(60_000) } },
		};
		const headers = { "x-service-api-key": namespace, "content-type": "application/json" };
		const init = { method: "POST", body: JSON.stringify(long), headers };
		assert.equal((await fetch(`${service.publicUrl}/workflows`, init)).status, 201);
		assert.equal((await run(["pull"])).code, 0);
		assert.deepEqual(JSON.parse(read("workflows/long.json")).config, long.config);
		assert.deepEqual(listResults((await run(["push", "workflows", "--json"])).json), [["long", "unchanged"]]);
		assert.deepEqual(listResults((await run(["pull", "--json"])).json), [["long", "unchanged"]]);
	});

	test("keeps a pushed file whose text the service does not keep", async () => {
		const { run, read, write } = createSpace();
		const text = JSON.stringify({
			...{ name: "long", description: "x", version: "1", triplets: ["input >> ON_SUCCESS >> hello"] },
			config: { hello: { component: "template", text: "long ".repeat(60_000) } },
		});
		write("workflows/long.json", text);
		assert.equal((await run(["push", "workflows"])).code, 0);
		for (const _ of [1, 2])
			assert.deepEqual(listResults((await run(["pull", "--json"])).json), [["long", "unchanged"]]);
		assert.equal(read("workflows/long.json"), text);
	});

	test("works with a service that has no versions yet, as push does", async () => {
		const { run, save, read, write } = createSpace();
		await save(document("orders", "one"));
		const asBefore: typeof fetch = async (request, init) => {
			if (/\/versions\//.test((request as Request).url)) return new Response("{}", { status: 404 });
			const answer = await fetch(request, init);
			const text = await answer.text();
			const body = text.replaceAll(/"version_number":\d+,?/g, "");
			return new Response(body, { status: answer.status, headers: answer.headers });
		};
		assert.equal((await run(["pull"], { fetch: asBefore as never })).code, 0);
		assert.equal(read("workflows/orders.yaml"), document("orders", "one"));
		write("workflows/orders.yaml", document("orders", "two"));
		const { code, err } = await run(["push", "workflows"], { fetch: asBefore as never });
		assert.equal(code, 0, err);
		assert.equal((await run(["run", "orders"])).out, "two\n");
	});

	test("names workflows that are no longer deployed, and keeps their files", async () => {
		const { run, save, read } = createSpace();
		await save(document("orders", "one"));
		await run(["pull"]);
		await fetch(`${service.publicUrl}/webhooks/named/orders`, {
			method: "DELETE",
			headers: { "x-service-api-key": `space${spaces}` },
		});
		const { code, out } = await run(["pull"]);
		assert.equal(code, 0);
		assert.match(out, /no workflows are deployed\n\nno longer deployed, files kept: orders/);
		assert.equal(read("workflows/orders.yaml"), document("orders", "one"));
	});

	test("suggests the nearest name for an unknown workflow", async () => {
		const { run, save } = createSpace();
		await save(document("orders", "one"));
		assert.match((await run(["pull", "ordres"])).err, /did you mean: tripline pull orders/);
	});
});

describe("the record of pulled versions", () => {
	test("is in the project's folder, and excludes itself from git", async () => {
		const { run, save, at, read } = createSpace();
		await save(document("orders", "one"));
		await run(["pull"]);
		assert.deepEqual(readdirSync(join(at.cwd, ".tripline")).sort(), [".gitignore", "versions.json"]);
		assert.equal(read(".tripline/.gitignore"), "*\n");
		const [key = "", bases = {}] =
			Object.entries(JSON.parse(read(".tripline/versions.json")) as object)[0] ?? [];
		assert.equal(key, `${service.publicUrl} space${spaces}`);
		assert.equal((bases as { orders: { version: number } }).orders.version, 1);
	});

	test("has no partner key, but tells two of them apart", async () => {
		const { run, read } = createSpace();
		const keys = ["a", "b"].map((letter) => `tlk_${letter.repeat(32)}`);
		for (const NAMESPACE of keys) {
			const files = { "orders.yaml": document("orders", "one") };
			const { code, err } = await run(["push", "orders.yaml"], { files, env: { NAMESPACE } });
			assert.equal(code, 0, err);
		}
		assert.ok(!read(".tripline/versions.json").includes("tlk_"));
		assert.equal(Object.keys(JSON.parse(read(".tripline/versions.json"))).length, 2);
	});

	test("that cannot be read is named, with what to do", async () => {
		const { run, save, write } = createSpace();
		await save(document("orders", "one"));
		for (const text of ["<<<<<<< HEAD", "[]", '{"a":{"b":1}}']) {
			write(".tripline/versions.json", text);
			const { code, err } = await run(["pull"]);
			assert.equal(code, 1);
			assert.match(err, /versions\.json cannot be read\n {2}delete it/);
		}
	});

	test("that cannot be written is reported, and the workflows are pushed", async () => {
		const { run, write } = createSpace();
		write(".tripline", "a file where the folder should be");
		write("workflows/one.yaml", document("one", "one"));
		write("workflows/two.yaml", document("two", "two"));
		const { code, err, out } = await run(["push", "workflows"]);
		assert.equal(code, 0, out);
		assert.equal(err.match(/cannot be written \(\w+\): versions are not recorded/g)?.length, 1);
		assert.equal((await run(["run", "two"])).out, "two\n");
	});

	test("cannot lead a pull to a file that holds no workflow", async () => {
		const { run, save, write, read } = createSpace();
		await save(document("orders", "one"));
		write(".envrc", "mine");
		const sha256 = createHash("sha256").update("mine").digest("hex");
		const bases = { orders: { version: 7, sha256, file: ".envrc" } };
		write(".tripline/versions.json", JSON.stringify({ [`${service.publicUrl} space${spaces}`]: bases }));
		assert.equal((await run(["pull", "--yes"])).code, 0);
		assert.equal(read(".envrc"), "mine");
	});

	test("cannot lead a pull outside the project", async () => {
		const { run, save, write, at } = createSpace();
		const outside = join(at.home, "victim.yaml");
		writeFileSync(outside, "mine");
		await save(document("orders", "one"));
		const base = { version: 1, sha256: "00", file: "../home/victim.yaml" };
		write(
			".tripline/versions.json",
			JSON.stringify({ [`${service.publicUrl} space${spaces}`]: { orders: base } }),
		);
		assert.equal((await run(["pull", "--force", "--yes"])).code, 0);
		assert.equal(readFileSync(outside, "utf8"), "mine");
		assert.ok(existsSync(join(at.cwd, "workflows/orders.yaml")));
	});
});

describe("push after pull", () => {
	test("saves on the pulled version, and again on the pushed one", async () => {
		const { run, save, write } = createSpace();
		await save(document("orders", "one"));
		await run(["pull"]);
		for (const [text, version] of [
			["two", 2],
			["three", 3],
		] as const) {
			write("workflows/orders.yaml", document("orders", text));
			const { json, code } = await run(["push", "workflows", "--json"]);
			assert.equal(code, 0);
			const [pushed] = (json as Outcome).workflows;
			assert.deepEqual([pushed?.result, pushed?.version_number], ["updated", version]);
		}
	});

	test("shows what changed there meanwhile, saves nothing, and says how to go on", async () => {
		const { run, save, write, namespace } = createSpace();
		await save(document("orders", "one"));
		await run(["pull"]);
		await save(document("orders", "theirs"));
		write("workflows/orders.yaml", document("orders", "mine"));
		write("workflows/other.yaml", document("other", "new"));
		const { code, out } = await run(["push", "workflows", "--yes"]);
		assert.equal(code, 1);
		assert.match(
			out,
			new RegExp(
				`orders: version 2 is deployed \\(${namespace} by api at .*\\); workflows/orders.yaml is based on version 1`,
			),
		);
		assert.match(out, /-{1} {2}hello: .*one.*\n\+ {2}hello: .*theirs/);
		assert.match(
			out,
			/nothing was pushed: 1 workflow changed .*\n {2}.*tripline pull orders --force.*push with --force/,
		);
		assert.equal((await run(["run", "orders"])).out, "theirs\n");
		assert.equal((await run(["run", "other"])).code, 1);
		const { json } = await run(["push", "workflows", "--json"]);
		const [conflict] = (json as Outcome).conflicts ?? [];
		assert.deepEqual([conflict?.name, conflict?.base, conflict?.current], ["orders", 1, 2]);
	});

	test("--force overrides it, and pull --force takes the other change", async () => {
		const { run, save, write, read } = createSpace();
		await save(document("orders", "one"));
		await run(["pull"]);
		await save(document("orders", "theirs"));
		write("workflows/orders.yaml", document("orders", "mine"));
		assert.equal((await run(["push", "workflows", "--force"])).code, 0);
		assert.equal((await run(["run", "orders"])).out, "mine\n");
		await save(document("orders", "theirs again"));
		write("workflows/orders.yaml", document("orders", "mine again"));
		assert.equal((await run(["push", "workflows"])).code, 1);
		assert.equal((await run(["pull", "--force", "--yes"])).code, 0);
		assert.equal(read("workflows/orders.yaml"), document("orders", "theirs again"));
		write("workflows/orders.yaml", document("orders", "merged"));
		assert.equal((await run(["push", "workflows"])).code, 0);
	});

	test("a workflow that was deleted there is not created again without --force", async () => {
		const { run, save, write } = createSpace();
		await save(document("orders", "one"));
		await run(["pull"]);
		await cli(["delete", "orders", "--yes"], { env: { NAMESPACE: `space${spaces}` } });
		write("workflows/orders.yaml", document("orders", "mine"));
		const { code, out } = await run(["push", "workflows"]);
		assert.equal(code, 1);
		assert.match(out, /orders: deleted at the service; workflows\/orders\.yaml is based on version 1/);
		assert.equal((await run(["push", "workflows", "--force"])).code, 0);
	});

	test("a change between the plan and the save is not overwritten, even with --force", async () => {
		const { run, save, write } = createSpace();
		await save(document("orders", "one"));
		write("workflows/orders.yaml", document("orders", "mine"));
		const { code, out } = await run(["push", "workflows", "--force"], {
			fetch: async (request, init) => {
				if (request.method === "POST" && request.url.includes("/workflows?"))
					await save(document("orders", "theirs"));
				return fetch(request, init);
			},
		});
		assert.equal(code, 1);
		assert.match(out, /failed: changed meanwhile; push again to see how/);
		assert.equal((await run(["run", "orders"])).out, "theirs\n");
	});

	test("a file that equals the deployed text is no conflict, whoever changed it", async () => {
		const { run, save, write } = createSpace();
		await save(document("orders", "one"));
		await run(["pull"]);
		await save(document("orders", "same"));
		write("workflows/orders.yaml", document("orders", "same"));
		assert.deepEqual(listResults((await run(["push", "workflows", "--json"])).json), [
			["orders", "unchanged"],
		]);
		write("workflows/orders.yaml", document("orders", "mine"));
		assert.equal((await run(["push", "workflows"])).code, 0);
	});

	test("saves a change of comments only", async () => {
		const { run, save, write } = createSpace();
		await save(document("orders", "one"));
		await run(["pull"]);
		write("workflows/orders.yaml", document("orders", "one").replace("說明", "explained"));
		const { json, code } = await run(["push", "workflows", "--json"]);
		assert.equal(code, 0);
		assert.deepEqual(listResults(json), [["orders", "updated"]]);
		assert.deepEqual(listResults((await run(["pull", "--json"])).json), [["orders", "unchanged"]]);
	});

	test("keeps the draft and the switch", async () => {
		const { run, save, write, namespace } = createSpace();
		await save(document("orders", "one"));
		await run(["disable", "orders", "--yes"]);
		const url = `${service.publicUrl}/workflows/orders/draft`;
		const headers = { "x-service-api-key": namespace, "content-type": "application/yaml" };
		await fetch(url, { method: "PUT", body: document("orders", "draft"), headers });
		await run(["pull"]);
		write("workflows/orders.yaml", document("orders", "two"));
		assert.equal((await run(["push", "workflows"])).code, 0);
		const draft = (await (await fetch(url, { headers })).json()) as { text: string };
		assert.equal(draft.text, document("orders", "draft"));
		assert.match((await run(["disable", "orders"])).out, /already disabled/);
	});

	test("each service and namespace has its own versions", async () => {
		const one = createSpace();
		const other = createSpace();
		await one.save(document("orders", "one"));
		await one.save(document("orders", "two"));
		await one.run(["pull"]);
		one.write("workflows/orders.yaml", document("orders", "mine"));
		const { code, json } = await one.run(["push", "workflows", "--json"], {
			env: { NAMESPACE: other.namespace },
		});
		assert.equal(code, 0);
		assert.deepEqual(listResults(json), [["orders", "created"]]);
		assert.equal((await one.run(["push", "workflows"])).code, 0);
	});
});

describe("push --prune", () => {
	test("deletes workflows without a file after asking, and they can be restored", async () => {
		const { run, save, write } = createSpace();
		await save(document("orders", "one"));
		await save(document("old", "one"));
		write("workflows/orders.yaml", document("orders", "two"));
		const questions: string[] = [];
		const answer = (question: string) => {
			questions.push(question);
			return "y";
		};
		const { code, out, err } = await run(["push", "workflows", "--prune"], { answer });
		assert.equal(code, 0, err);
		assert.deepEqual(questions, ["replace orders and delete old? (y/N)"]);
		assert.match(err, /old: has no file, will be deleted; tripline restore/);
		assert.match(out, /^old +deleted$/m);
		assert.equal((await run(["run", "old"])).code, 1);
		assert.equal((await run(["restore", "old", "--yes"])).code, 0);
		assert.equal((await run(["run", "old"])).out, "one\n");
	});

	test("needs --yes without a terminal; --dry-run deletes nothing", async () => {
		const { run, save, write } = createSpace();
		await save(document("old", "one"));
		write("workflows/orders.yaml", document("orders", "one"));
		const refused = await run(["push", "workflows", "--prune"]);
		assert.equal(refused.code, 2);
		assert.match(refused.err, /nothing was pushed\. Not a terminal; pass --yes/);
		const dry = await run(["push", "workflows", "--prune", "--dry-run", "--json"]);
		assert.deepEqual(listResults(dry.json), [
			["orders", "would create"],
			["old", "would delete"],
		]);
		assert.equal((await run(["run", "old"])).out, "one\n");
		assert.equal((await run(["push", "workflows", "--prune", "--yes"])).code, 0);
		assert.equal((await run(["run", "old"])).code, 1);
	});

	test("takes folders only, and deletes nothing if a save failed", async () => {
		const { run, save, write } = createSpace();
		await save(document("old", "one"));
		write("workflows/orders.yaml", document("orders", "one"));
		assert.equal((await run(["push", "workflows/orders.yaml", "--prune", "--yes"])).code, 2);
		const { code } = await run(["push", "workflows", "--prune", "--yes"], {
			fetch: (request, init) =>
				request.method === "POST" && request.url.includes("/workflows?")
					? Promise.reject(new Error("cut off"))
					: fetch(request, init),
		});
		assert.equal(code, 1);
		assert.equal((await run(["run", "old"])).out, "one\n");
	});

	test("refuses a folder with a file that cannot be read", async () => {
		const { run, save, write, at } = createSpace();
		await save(document("old", "one"));
		write("workflows/orders.yaml", document("orders", "one"));
		writeFileSync(join(at.cwd, "workflows", "old.yaml"), new Uint8Array([0xff, 0xfe, 0x00]));
		const { code, err } = await run(["push", "workflows", "--prune", "--yes"]);
		assert.equal(code, 1);
		assert.match(err, /nothing was pushed: workflows\/old\.yaml cannot be read/);
	});
});
