import assert from "node:assert/strict";
import { SavedWorkflow } from "@tripline/contract/executor";
import { WorkflowDiff, WorkflowDraft } from "@tripline/contract/workflow-versions";
import { RunResult } from "@tripline/contract/workflows";
import type { Scenario, World } from "../../scenario.ts";
import { fails, getNamedPath, run, save, says, waitForRecords } from "./saving.ts";
import { listVersions } from "./versions.ts";

const PATH = "/workflows/greet/draft";
const YAML = { "content-type": "application/yaml" };

const write = (text: string) => `# still trying
name: greet
description: Greets
version: "1"
triplets: [input >> then >> only]
config: { only: { component: template, text: "${text}" } }
`;

const saveDraft = (world: World, raw: string, query = {}) =>
	world.executor.expect(200, WorkflowDraft, "PUT", PATH, { raw, headers: YAML, query });

export const drafts: readonly Scenario[] = [
	{
		name: "a draft changes nothing until it is published, and then it is a version with its text",
		cites: [],
		async run(world) {
			await save(world, says("greet", "published"));
			await world.executor.refuse(404, "GET", PATH);
			const first = await saveDraft(world, write("draft"));
			assert.deepEqual([first.base, first.revision, first.format], [1, 1, "yaml"]);
			const second = await saveDraft(world, write("{{input.name}}"));
			assert.deepEqual([second.base, second.revision], [1, 2]);
			assert.deepEqual(await world.executor.expect(200, WorkflowDraft, "GET", PATH), second);
			assert.equal((await run(world, "greet")).data, "published");
			const query = { to: "draft" };
			const diff = await world.executor.expect(200, WorkflowDiff, "GET", "/workflows/greet/diff", { query });
			assert.deepEqual([diff.from, diff.to, diff.nodes?.changed], [1, "draft", ["only"]]);
			const published = await world.executor.expect(200, SavedWorkflow, "POST", `${PATH}/publish`);
			assert.equal(published.version_number, 2);
			const accept = { headers: { accept: "application/yaml" } };
			assert.equal((await world.executor.call("GET", getNamedPath("greet"), accept)).body, second.text);
			await world.executor.refuse(404, "GET", PATH);
			await world.executor.refuse(404, "POST", `${PATH}/publish`);
			assert.equal((await listVersions(world, "greet")).length, 2);
		},
	},
	{
		name: "a draft runs with the trigger test, also while the workflow is disabled",
		cites: [],
		async run(world) {
			await save(world, says("greet", "published"));
			await save(world, says("alarm", "x", { trigger: { type: "event", event: "execution.failed" } }));
			await world.executor.call("PUT", "/workflows/greet/enabled", { body: { enabled: false } });
			await saveDraft(world, write("draft for {{input.name}}"));
			const options = { body: { name: "Ada" }, headers: { prefer: "respond-async" } };
			const result = await world.executor.expect(200, RunResult, "POST", `${PATH}/run`, options);
			assert.equal(result.data, "draft for Ada");
			const [record] = await waitForRecords(world, "greet", 1);
			assert.deepEqual([record?.trigger, record?.id], ["test", result.execution_id]);
			await world.executor.call("PUT", PATH, { body: fails("greet", "broken") });
			await world.executor.expect(500, RunResult, "POST", `${PATH}/run`);
			await waitForRecords(world, "greet", 2);
			assert.deepEqual(await waitForRecords(world, "alarm", 0), []);
		},
	},
	{
		name: "a draft need not compile to be saved, only to run and to be published",
		cites: [],
		async run(world) {
			await save(world, says("greet", "published"));
			for (const text of [
				"{ not yaml",
				write("x").replace("template", "nonsense"),
				write("x").replace("greet", "other"),
			]) {
				await saveDraft(world, text);
				const answer = await world.executor.call("POST", `${PATH}/publish`);
				assert.ok(answer.status === 400 || answer.status === 422, text);
			}
			await saveDraft(world, "{ not yaml");
			await world.executor.refuse(400, "PUT", PATH, { raw: "{ not json" });
			await world.executor.refuse(400, "PUT", PATH, { raw: "a: \u0000", headers: YAML });
			await world.executor.refuse(400, "POST", `${PATH}/run`);
			const query = { to: "draft" };
			const diff = await world.executor.expect(200, WorkflowDiff, "GET", "/workflows/greet/diff", { query });
			assert.equal(diff.nodes, null);
			assert.equal((await world.executor.call("DELETE", PATH)).status, 200);
			await world.executor.refuse(404, "DELETE", PATH);
			await world.executor.refuse(404, "PUT", "/workflows/absent/draft", { raw: "{}" });
			assert.equal((await listVersions(world, "greet")).length, 1);
		},
	},
	{
		name: "a draft may be as large as any body, whatever characters it has",
		cites: [],
		async run(world) {
			await save(world, says("greet", "published"));
			for (const [character, count] of [
				["x", 1_048_576],
				['"', 1_048_576],
				["\u0001", 1_048_576],
				["文", 349_525],
			] as const) {
				const text = character.repeat(count);
				assert.equal((await saveDraft(world, text)).text, text);
				assert.equal((await world.executor.expect(200, WorkflowDraft, "GET", PATH)).text, text);
			}
			await world.executor.refuse(413, "PUT", PATH, { raw: "x".repeat(1_048_577), headers: YAML });
		},
	},
	{
		name: "a draft whose base is no longer the current version is not published until it has a new base",
		cites: [],
		async run(world) {
			await save(world, says("greet", "one"));
			await saveDraft(world, write("draft"));
			await save(world, says("greet", "two"));
			const stale = await world.executor.refuse(412, "POST", `${PATH}/publish`);
			assert.equal(stale.current_version, 2);
			assert.equal((await saveDraft(world, write("draft"))).base, 1);
			assert.equal((await saveDraft(world, write("draft"), { base: 2 })).base, 2);
			const answers = await Promise.all(
				Array.from({ length: 10 }, () => world.executor.call("POST", `${PATH}/publish`)),
			);
			assert.equal(answers.filter(({ status }) => status === 200).length, 1);
			assert.ok(answers.every(({ status }) => [200, 404, 412].includes(status)));
			assert.equal((await listVersions(world, "greet")).length, 3);
		},
	},
];
