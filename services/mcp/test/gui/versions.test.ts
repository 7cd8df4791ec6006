import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { DeletedAnswer } from "@tripline/contract/entries";
import { SavedWorkflow } from "@tripline/contract/executor";
import { GuiWorkflow } from "@tripline/contract/gui";
import {
	ChangedWorkflow,
	DeletedWorkflowPage,
	WorkflowDiff,
	WorkflowDraft,
	WorkflowVersionPage,
	WorkflowVersionText,
} from "@tripline/contract/workflow-versions";
import { RunResult } from "@tripline/contract/workflows";
import { greeting, startWorld } from "./world.ts";

const world = await startWorld();
const type = "application/yaml";

const write = (name: string, greets: string): string =>
	[
		`name: ${name} # kept as it is`,
		"description: d",
		'version: "1"',
		"triplets:",
		"  - input >> ON_SUCCESS >> say",
		"config:",
		`  say: { component: template, text: ${greets} }`,
		"",
	].join("\n");

const path = (name: string, rest = ""): string => `/gui/workflows/${name}${rest}`;

async function save(name: string, ...texts: readonly string[]): Promise<void> {
	for (const text of texts) {
		const { status, body } = await world.call("PUT", path(name), { raw: write(name, text), type });
		assert.ok(status < 300, JSON.stringify(body));
	}
}

const saveDraft = (name: string, text: string, query = "") =>
	world.expect(200, WorkflowDraft, "PUT", path(name, `/draft${query}`), { raw: text, type });

describe("the console's versions", () => {
	test("are listed in pages with who made them, and read with their text", async () => {
		await save("listed", "one", "two", "three");
		const first = await world.expect(200, WorkflowVersionPage, "GET", path("listed", "/versions?limit=2"));
		assert.deepEqual(
			first.versions.map(({ number, author, client }) => [number, author, client]),
			[
				[3, "acme", "console"],
				[2, "acme", "console"],
			],
		);
		const next = path("listed", `/versions?limit=2&cursor=${first.next_cursor}`);
		const rest = await world.expect(200, WorkflowVersionPage, "GET", next);
		assert.deepEqual([rest.versions.map(({ number }) => number), rest.next_cursor], [[1], null]);
		const one = await world.expect(200, WorkflowVersionText, "GET", path("listed", "/versions/1"));
		assert.equal(one.text, write("listed", "one"));
	});

	test("are compared by lines and nodes", async () => {
		await save("compared", "one", "two");
		const diff = await world.expect(200, WorkflowDiff, "GET", path("compared", "/diff"));
		assert.deepEqual([diff.from, diff.to, diff.nodes?.changed], [1, 2, ["say"]]);
		await saveDraft("compared", write("compared", "three"));
		const toDraft = path("compared", "/diff?from=1&to=draft");
		const draft = await world.expect(200, WorkflowDiff, "GET", toDraft);
		assert.ok(draft.hunks[0]?.lines.some(({ change, text }) => change === "added" && /three/.test(text)));
		await world.refuse(400, "GET", path("compared", "/diff?to=1"));
	});

	test("can be restored, unless the workflow has changed meanwhile", async () => {
		await save("restored", "one", "two");
		const body = { version: 1 };
		const stale = await world.refuse(412, "POST", path("restored", "/rollback"), { body, ifVersion: 1 });
		assert.equal(stale.current_version, 2);
		const changed = await world.expect(200, ChangedWorkflow, "POST", path("restored", "/rollback"), {
			body,
			ifVersion: 2,
		});
		assert.equal(changed.version_number, 3);
		const { text } = await world.expect(200, GuiWorkflow, "GET", path("restored"));
		assert.equal(text, write("restored", "one"));
	});

	test("are not found if there are none", async () => {
		await save("found", "one");
		for (const rest of ["/versions/2", "/diff?from=1&to=9", "/diff?from=1&to=draft"])
			await world.refuse(404, "GET", path("found", rest));
		await world.refuse(404, "POST", path("found", "/rollback"), { body: { version: 9 } });
		for (const rest of ["/versions/0", "/versions/x", "/versions?limit=0", "/diff?to=new"])
			await world.refuse(422, "GET", path("found", rest));
		await world.refuse(422, "POST", path("found", "/rollback"), { body: {} });
	});

	test("a save refuses to replace another version than the one it is based on", async () => {
		await save("based", "one", "two");
		const raw = write("based", "three");
		for (const ifVersion of [1, "none"] as const) {
			const stale = await world.refuse(412, "PUT", path("based"), { raw, type, ifVersion });
			assert.equal(stale.current_version, 2);
		}
		for (const headers of [{ "if-match": "two" }, { "if-match": "*" }, { "if-none-match": '"2"' }])
			await world.refuse(400, "PUT", path("based"), { raw, type, headers });
		const saved = await world.expect(200, SavedWorkflow, "PUT", path("based"), { raw, type, ifVersion: 2 });
		assert.equal(saved.version_number, 3);
	});
});

describe("the console's drafts", () => {
	test("are kept as they are written and shown with the workflow", async () => {
		await save("drafted", "one");
		const text = "name: drafted # does not: compile: yet";
		const draft = await saveDraft("drafted", text);
		assert.deepEqual([draft.base, draft.client, draft.text], [1, "console", text]);
		const shown = await world.expect(200, GuiWorkflow, "GET", path("drafted"));
		assert.deepEqual(shown.draft, draft);
		assert.equal(shown.text, write("drafted", "one"));
		assert.deepEqual(await world.expect(200, WorkflowDraft, "GET", path("drafted", "/draft")), draft);
		await world.expect(200, DeletedAnswer, "DELETE", path("drafted", "/draft"));
		await world.refuse(404, "DELETE", path("drafted", "/draft"));
		await world.refuse(404, "GET", path("drafted", "/draft"));
		assert.equal((await world.expect(200, GuiWorkflow, "GET", path("drafted"))).draft, null);
	});

	test("run with the trigger test, also with events", async () => {
		await save("tested", "one");
		await world.refuse(404, "POST", path("tested", "/draft/run"), { body: {} });
		await saveDraft("tested", write("tested", "two"));
		const run = await world.expect(200, RunResult, "POST", path("tested", "/draft/run"), { body: {} });
		assert.equal(run.data, "two");
		assert.equal((await world.recorded(run.execution_id)).trigger, "test");
		const accept = "text/event-stream";
		const watched = await world.answer("POST", path("tested", "/draft/run"), { body: {}, accept });
		assert.match(await watched.text(), /event: result\ndata: .*"data":"two"/);
		await saveDraft("tested", "name: tested");
		await world.refuse(400, "POST", path("tested", "/draft/run"), { body: {} });
	});

	test("are tested with pinned outputs, as is the current version of a workflow without a draft", async () => {
		await save("pinned", "one");
		const body = { pinned: { say: "pinned" } };
		const test = path("pinned", "/test");
		const run = await world.expect(200, RunResult, "POST", test, { body });
		assert.deepEqual([run.data, run.nodes?.[0]?.pinned], ["pinned", true]);
		assert.equal((await world.recorded(run.execution_id)).trigger, "test");
		await saveDraft("pinned", write("pinned", "two"));
		assert.equal((await world.expect(200, RunResult, "POST", test, { body: {} })).data, "two");
		const accept = "text/event-stream";
		const watched = await world.answer("POST", test, { body, accept });
		assert.match(await watched.text(), /event: result\ndata: .*"data":"pinned"/);
		await world.refuse(400, "POST", test, { body: { pinned: { other: 1 } } });
		await world.refuse(422, "POST", test, { body: { pinned: [] } });
		await world.refuse(404, "POST", path("absent", "/test"), { body });
	});

	test("are published, unless the workflow has changed since", async () => {
		await save("published", "one");
		await saveDraft("published", write("published", "mine"));
		await save("published", "theirs");
		const publish = path("published", "/draft/publish");
		assert.equal((await world.refuse(412, "POST", publish)).current_version, 2);
		await saveDraft("published", write("published", "mine"), "?base=2");
		const saved = await world.expect(200, SavedWorkflow, "POST", publish);
		assert.equal(saved.version_number, 3);
		const shown = await world.expect(200, GuiWorkflow, "GET", path("published"));
		assert.deepEqual([shown.text, shown.draft], [write("published", "mine"), null]);
		await world.refuse(404, "POST", publish);
	});
});

describe("the console's switch, names and deleted workflows", () => {
	test("a workflow is switched off and on", async () => {
		await save("switched", "one");
		for (const enabled of [false, true]) {
			await world.expect(200, ChangedWorkflow, "PUT", path("switched", "/enabled"), { body: { enabled } });
			const { workflow } = await world.expect(200, GuiWorkflow, "GET", path("switched"));
			assert.equal(workflow.enabled, enabled);
		}
		await world.refuse(422, "PUT", path("switched", "/enabled"), { body: { enabled: "no" } });
	});

	test("a workflow is renamed, but not to the name of another", async () => {
		await save("before", "one");
		await save("taken", "one");
		await world.refuse(409, "POST", path("before", "/rename"), { body: { to: "taken" } });
		await world.refuse(412, "POST", path("before", "/rename"), { body: { to: "after" }, ifVersion: 7 });
		const body = { to: "after" };
		const renamed = await world.expect(200, ChangedWorkflow, "POST", path("before", "/rename"), {
			body,
			ifVersion: 1,
		});
		assert.deepEqual([renamed.name, renamed.version_number], ["after", 2]);
		await world.refuse(404, "GET", path("before"));
	});

	test("a deleted workflow is restored, or deleted for good", async () => {
		await save("gone", "one", "two");
		const findDeleted = async () => {
			const { workflows } = await world.expect(200, DeletedWorkflowPage, "GET", "/gui/deleted-workflows");
			return workflows.find(({ name }) => name === "gone");
		};
		await world.expect(200, DeletedAnswer, "DELETE", path("gone"));
		const deleted = (await findDeleted()) ?? assert.fail();
		assert.deepEqual([deleted.version_number, deleted.client], [2, "console"]);
		const restore = `/gui/deleted-workflows/${deleted.id}/restore`;
		await save("gone", "another");
		await world.refuse(409, "POST", restore);
		await world.expect(200, ChangedWorkflow, "POST", path("gone", "/rename"), { body: { to: "other" } });
		await world.expect(200, ChangedWorkflow, "POST", restore);
		assert.equal(await findDeleted(), undefined);
		await world.expect(200, DeletedAnswer, "DELETE", path("gone"));
		const { id } = (await findDeleted()) ?? assert.fail();
		await world.expect(200, DeletedAnswer, "DELETE", `/gui/deleted-workflows/${id}`);
		assert.equal(await findDeleted(), undefined);
		await world.refuse(404, "POST", `/gui/deleted-workflows/${id}/restore`);
		await world.refuse(404, "DELETE", `/gui/deleted-workflows/${id}`);
	});

	test("another tenant's versions, draft and deleted workflows are not found", async () => {
		await save("mine", "one", "two");
		await saveDraft("mine", write("mine", "three"));
		const as = "other";
		for (const rest of ["/versions", "/versions/1", "/diff", "/draft"])
			await world.refuse(404, "GET", path("mine", rest), { as });
		for (const [method, rest, body] of [
			["POST", "/rollback", { version: 1 }],
			["PUT", "/enabled", { enabled: false }],
			["POST", "/rename", { to: "theirs" }],
			["PUT", "/draft", greeting("mine")],
			["DELETE", "/draft", undefined],
			["POST", "/draft/run", {}],
			["POST", "/test", {}],
			["POST", "/draft/publish", undefined],
		] as const)
			await world.refuse(404, method, path("mine", rest), { as, body });
		await world.expect(200, DeletedAnswer, "DELETE", path("mine"));
		const { workflows } = await world.expect(200, DeletedWorkflowPage, "GET", "/gui/deleted-workflows");
		const id = workflows.find(({ name }) => name === "mine")?.id;
		await world.refuse(404, "POST", `/gui/deleted-workflows/${id}/restore`, { as });
		await world.refuse(404, "DELETE", `/gui/deleted-workflows/${id}`, { as });
		const others = await world.expect(200, DeletedWorkflowPage, "GET", "/gui/deleted-workflows", { as });
		assert.deepEqual(others.workflows, []);
	});
});
