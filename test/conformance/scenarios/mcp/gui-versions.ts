import assert from "node:assert/strict";
import { DeletedAnswer } from "@tripline/contract/entries";
import { SavedWorkflow } from "@tripline/contract/executor";
import { GuiWorkflow } from "@tripline/contract/gui";
import {
	ChangedWorkflow,
	DeletedWorkflowPage,
	WorkflowDiff,
	WorkflowDraft,
	WorkflowVersionPage,
} from "@tripline/contract/workflow-versions";
import { RunResult } from "@tripline/contract/workflows";
import type { Scenario } from "../../scenario.ts";
import { createWorkflow, run, save, waitForRecords } from "../executor/saving.ts";
import { openConsole, openOthersConsole } from "./console.ts";
import { OPEN } from "./settings.ts";

const answer = (value: string) => createWorkflow("kept", { component: "set", values: { value } });
const CITES = ["MCP-GUI-AUTH", "MCP-THIN-SHELL"] as const;

export const guiVersions: readonly Scenario[] = [
	{
		name: "the console stores, tests and publishes a draft, unless the workflow has changed since",
		cites: CITES,
		environment: OPEN,
		async run(world) {
			const gui = openConsole(world);
			await save(world, answer("one"));
			await gui.expect(200, WorkflowDraft, "PUT", "/workflows/kept/draft", { body: answer("draft") });
			const tested = await gui.expect(200, RunResult, "POST", "/workflows/kept/draft/run", { body: {} });
			assert.deepEqual(tested.data, { value: "draft" });
			const [record] = await waitForRecords(world, "kept", 1);
			assert.equal(record?.trigger, "test");
			await save(world, answer("two"));
			const stale = await gui.refuse(412, "POST", "/workflows/kept/draft/publish");
			assert.equal((stale as { current_version?: unknown }).current_version, 2);
			await gui.expect(200, WorkflowDraft, "PUT", "/workflows/kept/draft?base=2", { body: answer("draft") });
			const saved = await gui.expect(200, SavedWorkflow, "POST", "/workflows/kept/draft/publish");
			assert.equal(saved.version_number, 3);
			assert.equal((await gui.expect(200, GuiWorkflow, "GET", "/workflows/kept")).draft, null);
		},
	},
	{
		name: "the console tests a draft with pinned outputs, which are never part of the workflow",
		cites: CITES,
		environment: OPEN,
		async run(world) {
			const gui = openConsole(world);
			await save(world, answer("one"));
			await gui.expect(200, WorkflowDraft, "PUT", "/workflows/kept/draft", { body: answer("draft") });
			const path = "/workflows/kept/test";
			const body = { input: {}, pinned: { only: { value: "pinned" } } };
			const tested = await gui.expect(200, RunResult, "POST", path, { body });
			assert.deepEqual([tested.data, tested.nodes?.[0]?.pinned], [{ value: "pinned" }, true]);
			const draft = await gui.expect(200, WorkflowDraft, "GET", "/workflows/kept/draft");
			assert.doesNotMatch(draft.text, /pinned/);
			assert.deepEqual((await run(world, "kept")).data, { value: "one" });
			const unknown = await gui.refuse(400, "POST", path, { body: { pinned: { gone: 1 } } });
			assert.match(unknown.error, /no node "gone"; it has "only"/);
			await openOthersConsole(world).refuse(404, "POST", path, { body });
		},
	},
	{
		name: "the console lists, compares and restores versions, and another tenant finds none",
		cites: CITES,
		environment: OPEN,
		async run(world) {
			const gui = openConsole(world);
			for (const value of ["one", "two"]) await save(world, answer(value));
			const { versions } = await gui.expect(200, WorkflowVersionPage, "GET", "/workflows/kept/versions");
			assert.deepEqual(
				versions.map(({ number }) => number),
				[2, 1],
			);
			const diff = await gui.expect(200, WorkflowDiff, "GET", "/workflows/kept/diff");
			assert.equal(diff.nodes?.changed.length, 1);
			const body = { version: 1 };
			const restored = await gui.expect(200, ChangedWorkflow, "POST", "/workflows/kept/rollback", { body });
			assert.equal(restored.version_number, 3);
			const others = openOthersConsole(world);
			for (const rest of ["versions", "versions/1", "diff", "draft"])
				await others.refuse(404, "GET", `/workflows/kept/${rest}`);
		},
	},
	{
		name: "the console switches, renames, deletes and restores a workflow",
		cites: CITES,
		environment: OPEN,
		async run(world) {
			const gui = openConsole(world);
			await save(world, answer("one"));
			const off = { body: { enabled: false } };
			await gui.expect(200, ChangedWorkflow, "PUT", "/workflows/kept/enabled", off);
			const { workflow } = await gui.expect(200, GuiWorkflow, "GET", "/workflows/kept");
			assert.equal(workflow.enabled, false);
			const to = { body: { to: "renamed" } };
			await gui.expect(200, ChangedWorkflow, "POST", "/workflows/kept/rename", to);
			await gui.expect(200, DeletedAnswer, "DELETE", "/workflows/renamed");
			const { workflows } = await gui.expect(200, DeletedWorkflowPage, "GET", "/deleted-workflows");
			const [deleted] = workflows;
			assert.equal(deleted?.name, "renamed");
			const restore = `/deleted-workflows/${deleted?.id}/restore`;
			await openOthersConsole(world).refuse(404, "POST", restore);
			const restored = await gui.expect(200, ChangedWorkflow, "POST", restore);
			assert.deepEqual([restored.name, restored.enabled], ["renamed", false]);
		},
	},
];
