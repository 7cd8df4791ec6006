import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, test } from "node:test";
import { startWorld } from "./world.ts";

const { cli, place, service } = await startWorld();

const document = (name: string, text: string) => `# about ${name}
name: ${name}
description: Says hello
version: "1"
triplets:
  - input >> ON_SUCCESS >> hello
config:
  hello:
    component: template
    text: "${text}"
`;

/** Saves these texts, one version after another. */
async function save(name: string, ...texts: string[]): Promise<void> {
	for (const text of texts) {
		const { code, err } = await cli(["push", "one.yaml"], { files: { "one.yaml": document(name, text) } });
		assert.equal(code, 0, err);
	}
}

const call = (path: string, init: RequestInit) =>
	fetch(`${service.publicUrl}${path}`, {
		...init,
		headers: { "x-service-api-key": "default", "content-type": "application/yaml", ...init.headers },
	});

const answering =
	(said: string, questions: string[] = []) =>
	(question: string) => {
		questions.push(question);
		return said;
	};

describe("versions", () => {
	test("lists when, who and by what, newest first, with the current one marked", async () => {
		await save("listed", "one", "two");
		const { code, out } = await cli(["versions", "listed"]);
		assert.equal(code, 0);
		const [, first = "", second = ""] = out.split("\n");
		assert.match(first, /^2 +\d{4}-\d\d-\d\d \d\d:\d\d:\d\d +default +cli +listed +current$/);
		assert.match(second, /^1 +\d{4}-\d\d-\d\d \d\d:\d\d:\d\d +default +cli +listed$/);
	});

	test("as JSON has the current number, and the draft if there is one", async () => {
		await save("drafted", "one");
		await call("/workflows/drafted/draft", { method: "PUT", body: document("drafted", "draft") });
		const { json, out } = await cli(["versions", "drafted", "--json"]);
		const { current, draft, versions } = json as {
			current: number;
			draft: { base: number };
			versions: { number: number; client: string }[];
		};
		assert.deepEqual([current, draft.base, versions.map(({ number }) => number)], [1, 1, [1]], out);
		assert.match((await cli(["versions", "drafted"])).out, /tripline diff drafted --to draft/);
	});

	test("--limit bounds the list, and wrong ones are refused", async () => {
		await save("limited", "one", "two", "three");
		const { json } = await cli(["versions", "limited", "--limit", "2", "--json"]);
		assert.deepEqual(
			(json as { versions: { number: number }[] }).versions.map(({ number }) => number),
			[3, 2],
		);
		assert.equal((await cli(["versions", "limited", "--limit", "0"])).code, 2);
	});

	test("suggests the nearest name for an unknown workflow", async () => {
		await save("invoices", "one");
		const { code, err } = await cli(["versions", "invoicse"]);
		assert.equal(code, 1);
		assert.match(err, /no workflow "invoicse"\n {2}did you mean: tripline versions invoices/);
	});
});

describe("diff", () => {
	test("shows what the current version changed, and the changed nodes", async () => {
		await save("compared", "one", "two");
		const { code, out } = await cli(["diff", "compared"]);
		assert.equal(code, 0);
		assert.equal(
			out,
			`--- version 1
+++ version 2
@@ -7,4 +7,4 @@
 config:
   hello:
     component: template
-    text: "one"
+    text: "two"
changed nodes: hello
`,
		);
	});

	test("colours lines on a terminal, not with NO_COLOR", async () => {
		await save("coloured", "one", "two");
		const { out } = await cli(["diff", "coloured"], { isTerminal: true });
		assert.ok(out.includes('\u001b[31m-    text: "one"\u001b[39m'), out);
		const plain = await cli(["diff", "coloured"], { isTerminal: true, env: { NO_COLOR: "1" } });
		assert.ok(!plain.out.includes("\u001b"));
	});

	test("takes two versions, and the draft", async () => {
		await save("chosen", "one", "two", "three");
		await call("/workflows/chosen/draft", { method: "PUT", body: document("chosen", "four") });
		const { json } = await cli(["diff", "chosen", "--from", "1", "--to", "draft", "--json"]);
		const { from, to, hunks } = json as { from: number; to: string; hunks: { lines: { text: string }[] }[] };
		assert.deepEqual([from, to], [1, "draft"]);
		const lines = hunks[0]?.lines.map(({ text }) => text.trim());
		assert.deepEqual(lines?.slice(-2), ['text: "one"', 'text: "four"']);
		assert.match((await cli(["diff", "chosen", "--from", "2", "--to", "2"])).out, /are equal/);
	});

	test("compares a local file with the current version", async () => {
		await save("local", "one");
		const files = { "w/local.yaml": document("local", "mine") };
		const { code, out } = await cli(["diff", "local", "--file", "w/local.yaml"], { files });
		assert.equal(code, 0);
		assert.match(out, /^--- version 1\n\+\+\+ w\/local\.yaml\n/);
		assert.match(out, /-{1} {4}text: "one"\n\+ {4}text: "mine"\nchanged nodes: hello\n$/);
		const equal = await cli(["diff", "local", "--file", "x.yaml"], {
			files: { "x.yaml": document("local", "one") },
		});
		assert.equal(equal.out, "version 1 and x.yaml are equal\n");
	});

	test("says what is missing or wrong", async () => {
		await save("lonely", "one");
		const cases: [argv: string[], code: number, said: RegExp][] = [
			[[], 1, /no version before version 1\n {2}.*--from/],
			[["--from", "7"], 1, /"lonely" has no version 7/],
			[["--to", "draft"], 1, /"lonely" has no draft/],
			[["--from", "latest"], 2, /--from must be a version number or draft/],
			[["--to", "0"], 2, /--to must be a version number or draft/],
			[["--file", "no.yaml"], 2, /there is no file no\.yaml/],
			[["--file", "no.yaml", "--to", "1"], 2, /either --to or --file/],
		];
		for (const [argv, expected, said] of cases) {
			const { code, err } = await cli(["diff", "lonely", ...argv]);
			assert.equal(code, expected, err);
			assert.match(err, said);
		}
	});

	test("prints no control characters of a workflow's text", async () => {
		const hostile = document("hostile", "one").replace("# about hostile", "# \u202e about");
		await cli(["push", "h.yaml"], { files: { "h.yaml": hostile } });
		await save("hostile", "two");
		assert.ok(!(await cli(["diff", "hostile"])).out.includes("\u202e"));
	});
});

describe("rollback", () => {
	test("shows the changes, asks, and makes a new version with the old text byte for byte", async () => {
		await save("rolled", "one", "two");
		const questions: string[] = [];
		const { code, out, err } = await cli(["rollback", "rolled"], { answer: answering("y", questions) });
		assert.equal(code, 0, err);
		assert.deepEqual(questions, ["roll rolled back to version 1? (y/N)"]);
		assert.match(
			err,
			/back from version 2 to the text of version 1\n@@.*\n[\s\S]*-{1} {4}text: "two"\n\+ {4}text: "one"/,
		);
		assert.equal(out, "rolled: version 3 has the text of version 1\n");
		assert.equal((await cli(["run", "rolled"])).out, "one\n");
		const { json } = await cli(["diff", "rolled", "--from", "1", "--to", "3", "--json"]);
		assert.deepEqual((json as { hunks: unknown[] }).hunks, []);
	});

	test("--to takes a version, --dry-run changes nothing", async () => {
		await save("chosen back", "one", "two", "three");
		const dry = await cli(["rollback", "chosen back", "--to", "1", "--dry-run", "--json"]);
		assert.equal((dry.json as { result: string }).result, "would roll back");
		assert.equal((await cli(["run", "chosen back"])).out, "three\n");
		const { json } = await cli(["rollback", "chosen back", "--to", "1", "--yes", "--json"]);
		const { result, version_number } = json as { result: string; version_number: number };
		assert.deepEqual([result, version_number], ["rolled back", 4]);
		assert.equal((await cli(["run", "chosen back"])).out, "one\n");
	});

	test("refuses without a terminal and without --yes, and accepts no", async () => {
		await save("kept", "one", "two");
		const refused = await cli(["rollback", "kept"]);
		assert.equal(refused.code, 2);
		assert.match(refused.err, /kept was not rolled back\. Not a terminal; pass --yes/);
		const no = await cli(["rollback", "kept"], { answer: answering("n") });
		assert.equal(no.code, 1);
		assert.equal((await cli(["run", "kept"])).out, "two\n");
	});

	test("is refused if the workflow changes while it asks", async () => {
		await save("raced", "one", "two");
		const { code, err } = await cli(["rollback", "raced", "--yes"], {
			fetch: async (request, init) => {
				if (request.url.endsWith("/rollback"))
					await call("/workflows", { method: "POST", body: document("raced", "three") });
				return fetch(request, init);
			},
		});
		assert.equal(code, 1);
		assert.match(err, /"raced" was changed meanwhile; nothing was done/);
		assert.equal((await cli(["run", "raced"])).out, "three\n");
	});

	test("says that there is nothing to roll back to", async () => {
		await save("single", "one");
		assert.match((await cli(["rollback", "single"])).err, /version 1 of "single" is its first one/);
		assert.match((await cli(["rollback", "single", "--to", "9"])).err, /"single" has no version 9/);
		const same = await cli(["rollback", "single", "--to", "1", "--json"]);
		assert.equal((same.json as { result: string }).result, "unchanged");
		assert.equal((await cli(["rollback", "single", "--to", "draft"])).code, 2);
	});
});

describe("enable and disable", () => {
	test("switch the triggers, which push and rollback leave as they are", async () => {
		await save("switched", "one", "two");
		const trigger = () =>
			call("/webhooks/named/switched/trigger", {
				method: "POST",
				headers: { "content-type": "application/json" },
				body: "{}",
			});
		const { code, out, err } = await cli(["disable", "switched"], { answer: answering("yes") });
		assert.equal(code, 0, err);
		assert.equal(out, "switched is disabled\n");
		assert.match(err, /its addresses answer 409/);
		await save("switched", "three");
		assert.equal((await cli(["rollback", "switched", "--yes"])).code, 0);
		assert.equal((await trigger()).status, 409);
		assert.equal((await cli(["enable", "switched", "--yes"])).out, "switched is enabled\n");
		assert.equal((await trigger()).status, 200);
	});

	test("need --yes without a terminal, unless nothing changes", async () => {
		await save("steady", "one");
		assert.equal((await cli(["disable", "steady"])).code, 2);
		const same = await cli(["enable", "steady", "--json"]);
		assert.deepEqual(same.json, { name: "steady", enabled: true, result: "unchanged" });
		const dry = await cli(["disable", "steady", "--dry-run", "--json"]);
		assert.deepEqual(dry.json, { name: "steady", enabled: true, result: "would disable" });
		assert.equal((await cli(["disable", "no such"])).code, 1);
	});
});

describe("rename", () => {
	test("keeps the versions, and says that the file has the old name", async () => {
		const at = place();
		const pushed = await cli(["push", "old.yaml"], { at, files: { "old.yaml": document("old", "one") } });
		assert.equal(pushed.code, 0, pushed.err);
		const { code, out, err } = await cli(["rename", "old", "brand new", "--yes"], { at });
		assert.equal(code, 0, err);
		assert.match(err, /its addresses change, such as http:.*\/old\/trigger/);
		assert.equal(
			out,
			"old is now brand new, version 2\nits file still has the old name: tripline pull 'brand new'\n",
		);
		assert.match((await cli(["versions", "brand new"])).out, /^1 .* old$/m);
		const pulled = await cli(["pull", "brand new", "--yes"], { at });
		assert.equal(pulled.code, 0, pulled.err);
		assert.equal(
			readFileSync(join(at.cwd, "old.yaml"), "utf8"),
			document("old", "one").replace("name: old", "name: brand new"),
		);
	});

	test("refuses a taken name, an equal one, and without --yes", async () => {
		await save("taken", "one");
		await save("renamed", "one");
		assert.match((await cli(["rename", "renamed", "taken", "--yes"])).err, /already a workflow "taken"/);
		assert.equal((await cli(["rename", "renamed", "renamed"])).code, 2);
		assert.equal((await cli(["rename", "renamed", "other"])).code, 2);
		const dry = await cli(["rename", "renamed", "other", "--dry-run", "--json"]);
		assert.equal((dry.json as { result: string }).result, "would rename");
		assert.equal((await cli(["versions", "renamed"])).code, 0);
	});
});

describe("delete, trash and restore", () => {
	test("a deleted workflow is listed, and restored with its versions and its switch", async () => {
		await save("thrown", "one", "two");
		await cli(["disable", "thrown", "--yes"]);
		const { code, out } = await cli(["delete", "thrown", "--yes"]);
		assert.equal(code, 0);
		assert.match(out, /thrown is deleted/);
		assert.match(
			(await cli(["trash"])).out,
			/^thrown +2 +\d{4}-.* +cli +\d{4}-\d\d-\d\d .* +[0-9a-f-]{36}$/m,
		);
		const restored = await cli(["restore", "thrown", "--yes"]);
		assert.equal(restored.out, "thrown is restored, and disabled\n", restored.err);
		assert.match((await cli(["versions", "thrown"])).out, /^2 .*current$/m);
		assert.ok(!(await cli(["trash"])).out.includes("thrown"));
	});

	test("several of one name are told apart by their ids", async () => {
		for (const text of ["one", "two"]) {
			await save("twice", text);
			await cli(["delete", "twice", "--yes"]);
		}
		const { code, err } = await cli(["restore", "twice", "--yes"]);
		assert.equal(code, 2);
		const ids = [...err.matchAll(/tripline restore (\S+)/g)].map(([, id = ""]) => id);
		assert.equal(ids.length, 2);
		assert.equal((await cli(["restore", ids[1] as string, "--yes"])).code, 0);
		assert.equal((await cli(["run", "twice"])).out, "one\n");
		const taken = await cli(["restore", ids[0] as string, "--yes"]);
		assert.equal(taken.code, 1);
		assert.match(taken.err, /already a workflow "twice"/);
	});

	test("refuse without --yes, and what is not there", async () => {
		await save("stays", "one");
		assert.equal((await cli(["delete", "stays"])).code, 2);
		assert.deepEqual(
			((await cli(["delete", "stays", "--dry-run", "--json"])).json as { result: string }).result,
			"would delete",
		);
		assert.equal((await cli(["run", "stays"])).out, "one\n");
		assert.equal((await cli(["delete", "stay"])).code, 1);
		await cli(["delete", "stays", "--yes"]);
		assert.equal((await cli(["restore", "stays"])).code, 2);
		assert.match((await cli(["restore", "stayz"])).err, /did you mean: tripline restore stays/);
		const backup = await cli(["restore", "./a.backup"]);
		assert.equal(backup.code, 2);
		assert.match(backup.err, /did you mean: tripline backup restore \.\/a\.backup/);
	});
});
