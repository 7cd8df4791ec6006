import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { echo, type Opened, openTools } from "./open-tools.ts";

const TEXT = `# Why it is there: somebody asked.
name: noted
description: Greets
version: "1"

triplets:
  - input >> then >> say # the only step
config:
  say: { component: template, text: "Hello {{input.name}}" }   # 你好
`;
const BAD = TEXT.replace("Hello", "Go away,").replace("# the only step", "# quick fix");

const DIFF = `--- version 1
+++ version 2
@@ -4,6 +4,6 @@
 version: "1"
 
 triplets:
-  - input >> then >> say # the only step
+  - input >> then >> say # quick fix
 config:
-  say: { component: template, text: "Hello {{input.name}}" }   # 你好
+  say: { component: template, text: "Go away, {{input.name}}" }   # 你好
`;

interface Versions {
	readonly versions: readonly { version_number: number; author: string; client: string }[];
	readonly diff: string | null;
	readonly next_cursor: string | null;
	readonly next: string;
}

describe("the tools for versions", () => {
	let service: Opened;
	before(async () => {
		service = await openTools();
	});
	after(() => service.close());

	/** A tenant with some versions of the workflow `noted`. */
	async function openNoted(namespace: string, ...texts: readonly string[]) {
		const tenant = service.as(namespace);
		for (const document of texts) await tenant.call("save_workflow", { document });
		const readText = async () => (await tenant.call("get_workflow", { name: "noted" })).yaml;
		return { ...tenant, readText };
	}

	test("a bad save is seen in the diff and rolled back, byte for byte", async () => {
		const acme = await openNoted("transcript", TEXT);
		const read = await acme.call("get_workflow", { name: "noted" });
		assert.deepEqual([read.version_number, read.enabled], [1, true]);
		assert.match(String(read.next), /save_workflow with if_version 1/);
		const saved = await acme.call("save_workflow", { document: BAD, if_version: 1 });
		assert.deepEqual([saved.saved, saved.version_number, saved.diff], [true, 2, null]);
		const listed = await acme.call<Versions>("list_versions", { name: "noted" });
		assert.deepEqual(
			listed.versions.map(({ version_number, author }) => [version_number, author]),
			[
				[2, "transcript"],
				[1, "transcript"],
			],
		);
		assert.match(listed.next, /list_versions {"name":"noted","from":1,"to":2}/);
		const compared = await acme.call<Versions>("list_versions", { name: "noted", from: 1, to: 2 });
		assert.equal(compared.diff, DIFF);
		assert.deepEqual([compared.versions, compared.next_cursor], [[], null]);
		assert.match(compared.next, /rollback_workflow {"name":"noted","version_number":1}/);
		const back = await acme.call("rollback_workflow", { name: "noted", version_number: 1 });
		assert.deepEqual(back, { name: "noted", version_number: 3, enabled: true });
		assert.equal(await acme.readText(), TEXT);
		const same = await acme.call<Versions>("list_versions", { name: "noted", from: 1, to: 3 });
		assert.deepEqual([same.diff, same.next], ["", "Both versions have the same text."]);
		const run = await acme.call("run_workflow", { name: "noted", input: { name: "Ada" } });
		assert.equal(run.data, "Hello Ada");
	});

	test("without from or to, the diff ends at the current version or starts before to", async () => {
		const acme = await openNoted("sides", TEXT, BAD);
		for (const sides of [{ from: 1 }, { to: 2 }])
			assert.equal((await acme.call("list_versions", { name: "noted", ...sides })).diff, DIFF);
		const backwards = await acme.call("list_versions", { name: "noted", from: 2, to: 1 });
		assert.match(
			String(backwards.diff),
			/^--- version 2\n\+\+\+ version 1\n[\s\S]*\n-.*# quick fix\n\+.*# the only/,
		);
	});

	test("the diff of a workflow saved as an object compares its YAML", async () => {
		const acme = service.as("objects");
		await acme.call("save_workflow", { document: echo("wf") });
		await acme.call("save_workflow", { document: echo("wf", { description: "New" }) });
		const { diff } = await acme.call("list_versions", { name: "wf", from: 1 });
		assert.match(String(diff), /\n-description: .*\n\+description: New\n/);
	});

	test("the diff marks a text that does not end with a line end", async () => {
		const acme = await openNoted("ends", TEXT, TEXT.trimEnd());
		const { diff } = await acme.call("list_versions", { name: "noted", from: 1 });
		assert.match(String(diff), /\n-.*# 你好\n\+.*# 你好\n\\ No newline at end of file\n$/);
	});

	test("a long diff is read in parts, even if the workflow changes meanwhile", async () => {
		const notes = Array.from({ length: 1_500 }, (_, nth) => `# "note" ${nth} 🌏\n`).join("");
		const acme = await openNoted("long", TEXT, TEXT + notes);
		let page = await acme.call<Versions>("list_versions", { name: "noted", from: 1 });
		assert.match(page.next, /truncated/);
		await acme.call("save_workflow", { document: BAD });
		let whole = page.diff ?? "";
		while (page.next_cursor !== null) {
			page = await acme.call<Versions>("list_versions", { name: "noted", cursor: page.next_cursor });
			whole += page.diff;
		}
		const added = whole.split("\n").filter((line) => line.startsWith("+#"));
		assert.equal(added.map((line) => `${line.slice(1)}\n`).join(""), notes);
	});

	test("many versions are listed in pages", async () => {
		const texts = Array.from({ length: 45 }, (_, nth) => TEXT.replace("Hello", `Hello ${nth}`));
		const acme = await openNoted("pages", ...texts);
		const seen: number[] = [];
		let cursor: string | null = null;
		do {
			const page: Versions = await acme.call<Versions>("list_versions", {
				name: "noted",
				...(cursor !== null && { cursor }),
			});
			seen.push(...page.versions.map(({ version_number }) => version_number));
			cursor = page.next_cursor;
		} while (cursor !== null);
		assert.deepEqual(
			seen,
			Array.from({ length: 45 }, (_, nth) => 45 - nth),
		);
	});

	for (const [form, toDocument] of [
		["YAML", (text: string): unknown => text],
		[
			"an object",
			(text: string): unknown => echo("noted", { description: text.includes("Hello") ? "a" : "b" }),
		],
	] as const) {
		test(`a stale save of ${form} is refused with what has changed, and can be merged`, async () => {
			const acme = service.as(`stale-${form.length}`);
			await acme.call("save_workflow", { document: toDocument(TEXT) });
			await acme.call("save_workflow", { document: toDocument(BAD) });
			const refused = await acme.failing("save_workflow", { document: toDocument(TEXT), if_version: 1 });
			assert.deepEqual(
				[refused.saved, refused.name, refused.version_number, refused.diagnostics],
				[false, "noted", 2, []],
			);
			const { diff } = await acme.call("list_versions", { name: "noted", from: 1, to: 2 });
			assert.equal(refused.diff, diff);
			assert.match(String(refused.error), /its current version is 2, not 1/);
			assert.match(
				String(refused.next),
				/Nothing was saved.*changes in diff.*save_workflow with if_version 2/,
			);
			const merged = await acme.call("save_workflow", { document: toDocument(TEXT), if_version: 2 });
			assert.equal(merged.version_number, 3);
		});
	}

	test("of two saves based on the same version, one is refused", async () => {
		const acme = await openNoted("race", TEXT);
		const save = (word: string) =>
			acme.call("save_workflow", { document: TEXT.replace("Hello", word), if_version: 1 }).then(
				() => "saved",
				() => "refused",
			);
		assert.deepEqual((await Promise.all(["One", "Two"].map(save))).sort(), ["refused", "saved"]);
		assert.equal((await acme.call<Versions>("list_versions", { name: "noted" })).versions.length, 2);
	});

	test("a stale save has a diff that fits, or none if its version never existed", async () => {
		const notes = Array.from({ length: 1_500 }, (_, nth) => `# "note" ${nth}\n`).join("");
		const acme = await openNoted("stale-long", TEXT, TEXT + notes);
		const long = await acme.failing("save_workflow", { document: BAD, if_version: 1 });
		assert.match(String(long.next), /the rest: list_versions {"name":"noted","from":1,"to":2}/);
		const unknown = await acme.failing("save_workflow", { document: BAD, if_version: 9 });
		assert.deepEqual([unknown.diff, unknown.version_number], [null, 2]);
		assert.match(String(unknown.next), /Read the current version with get_workflow.*if_version 2/);
	});

	test("a save with if_version creates nothing", async () => {
		const acme = service.as("none");
		const refused = await acme.failing("save_workflow", { document: TEXT, if_version: 1 });
		assert.deepEqual([refused.saved, refused.version_number, refused.diff], [false, null, null]);
		assert.match(String(refused.error), /there is no workflow "noted"/);
		assert.match(String(refused.next), /without if_version, save_workflow creates it/);
		assert.equal((await acme.call("list_workflows")).total, 0);
		assert.equal((await acme.call("save_workflow", { document: TEXT })).version_number, 1);
	});

	test("a save without if_version replaces any version, and an equal text is no new version", async () => {
		const acme = await openNoted("free", TEXT, BAD);
		assert.equal((await acme.call("save_workflow", { document: TEXT })).version_number, 3);
		assert.equal((await acme.call("save_workflow", { document: TEXT })).version_number, 3);
	});

	test("a deleted workflow is listed, and restored with its versions and text", async () => {
		const acme = await openNoted("trash", BAD, TEXT);
		const deleted = await acme.call("delete_workflow", { name: "noted" });
		assert.match(String(deleted.next), /restored for 30 days: rollback_workflow {"name":"noted"}/);
		const listed = await acme.call("list_workflows", { deleted: true });
		const [first] = listed.deleted as { name: string; deleted_at: string; purged_at: string }[];
		assert.deepEqual([first?.name, listed.total, listed.workflows], ["noted", 1, []]);
		assert.equal(Date.parse(first?.purged_at ?? "") - Date.parse(first?.deleted_at ?? ""), 30 * 86_400_000);
		for (const tool of ["rollback_workflow", "list_versions", "get_workflow", "run_workflow"]) {
			const args = { name: "noted", ...(tool === "rollback_workflow" && { version_number: 1 }) };
			const problem = await acme.problem(tool, args);
			assert.match(problem, /It was deleted: rollback_workflow {"name":"noted"} restores it/, tool);
		}
		const restored = await acme.call("rollback_workflow", { name: "noted" });
		assert.deepEqual(restored, { name: "noted", version_number: 2, enabled: true });
		assert.equal(await acme.readText(), TEXT);
		assert.equal((await acme.call<Versions>("list_versions", { name: "noted" })).versions.length, 2);
		assert.deepEqual((await acme.call("list_workflows", { deleted: true })).deleted, []);
	});

	test("of deleted workflows with one name, the last one is restored", async () => {
		const acme = await openNoted("twice", TEXT);
		await acme.call("delete_workflow", { name: "noted" });
		await acme.call("save_workflow", { document: BAD });
		await acme.call("delete_workflow", { name: "noted" });
		await acme.call("rollback_workflow", { name: "noted" });
		assert.equal(await acme.readText(), BAD);
		const taken = await acme.problem("rollback_workflow", { name: "noted" });
		assert.match(taken, /is not deleted.*pass version_number.*the user must rename this one/);
		assert.equal(await acme.readText(), BAD);
	});

	test("many deleted workflows are listed in pages", async () => {
		const acme = service.as("many");
		const names = Array.from({ length: 12 }, (_, nth) => `wf ${nth}`);
		for (const name of names) {
			await acme.call("save_workflow", { document: echo(name) });
			await acme.call("delete_workflow", { name });
		}
		const seen: string[] = [];
		let cursor: string | null = null;
		do {
			const page: { deleted: { name: string }[]; next_cursor: string | null } = await acme.call(
				"list_workflows",
				{ deleted: true, limit: 5, ...(cursor !== null && { cursor }) },
			);
			seen.push(...page.deleted.map(({ name }) => name));
			cursor = page.next_cursor;
		} while (cursor !== null);
		assert.deepEqual(seen, names.toReversed());
		const both = await acme.problem("list_workflows", { deleted: true, query: "wf" });
		assert.match(both, /query and tag cannot be used with deleted/);
	});

	test("says what is missing: the workflow, the version, or something to restore", async () => {
		const acme = await openNoted("missing", TEXT);
		for (const [tool, args] of [
			["list_versions", { from: 1, to: 7 }],
			["rollback_workflow", { version_number: 7 }],
		] as const) {
			const version = await acme.problem(tool, { name: "noted", ...args });
			assert.match(version, /"noted" has no such version: its current version is 1/);
			const workflow = await acme.problem(tool, { name: "notd", ...args });
			assert.match(workflow, /no workflow "notd".*Did you mean "noted"/);
		}
		assert.match(await acme.problem("list_versions", { name: "notd" }), /Did you mean "noted"/);
		assert.match(
			await acme.problem("rollback_workflow", { name: "noted" }),
			/is not deleted.*version_number/,
		);
		await acme.call("save_workflow", { document: echo("gone") });
		await acme.call("delete_workflow", { name: "gone" });
		const none = await acme.problem("rollback_workflow", { name: "gne" });
		assert.match(none, /no deleted workflow "gne".*Did you mean "gone".*30 days/);
		assert.match(
			await acme.problem("list_versions", { name: "noted", to: 1 }),
			/version 1 has no version before it/,
		);
		assert.match(await acme.problem("list_versions", { name: "noted", cursor: "x" }), /cursor/);
	});

	test("set_workflow_enabled switches triggers, which other tools show", async () => {
		const acme = service.as("switch");
		const trigger = { type: "schedule", cron: "@daily" };
		await acme.call("save_workflow", { document: echo("wf", { trigger }) });
		const off = await acme.call("set_workflow_enabled", { name: "wf", enabled: false });
		assert.deepEqual(off, { name: "wf", enabled: false });
		assert.equal((await acme.call("get_workflow", { name: "wf" })).enabled, false);
		const { workflows } = await acme.call<{ workflows: { enabled: boolean }[] }>("list_workflows");
		assert.equal(workflows[0]?.enabled, false);
		const saved = await acme.call("save_workflow", { document: echo("wf", { trigger, description: "b" }) });
		assert.deepEqual([saved.enabled, saved.next_run], [false, null]);
		assert.match(String(saved.next), /It is disabled: set_workflow_enabled/);
		assert.equal((await acme.call("run_workflow", { name: "wf" })).success, true);
		assert.equal((await acme.call("set_workflow_enabled", { name: "wf", enabled: true })).enabled, true);
		const on = await acme.call("save_workflow", { document: echo("wf", { trigger }) });
		assert.notEqual(on.next_run, null);
		assert.match(
			await acme.problem("set_workflow_enabled", { name: "wg", enabled: true }),
			/Did you mean "wf"/,
		);
	});

	test("another tenant's workflow, versions and deleted workflows are not found", async () => {
		const mine = await openNoted("mine", TEXT, BAD);
		const theirs = service.as("theirs");
		for (const [tool, args] of [
			["list_versions", {}],
			["list_versions", { from: 1, to: 2 }],
			["rollback_workflow", { version_number: 1 }],
			["set_workflow_enabled", { enabled: false }],
		] as const)
			assert.match(await theirs.problem(tool, { name: "noted", ...args }), /No workflow exists yet/, tool);
		await mine.call("delete_workflow", { name: "noted" });
		assert.match(await theirs.problem("rollback_workflow", { name: "noted" }), /No deleted workflow exists/);
		assert.equal((await theirs.call("list_workflows", { deleted: true })).total, 0);
	});
});
