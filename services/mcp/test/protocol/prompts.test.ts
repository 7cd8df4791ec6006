import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { ERAS } from "../../../../test/mcp/wire.ts";
import type { Prompt } from "../../src/protocol/surface.ts";
import { ToolProblem } from "../../src/tools/tool.ts";
import { createAsking } from "./asking.ts";

const write: Prompt = {
	name: "write_workflow",
	title: "Write a workflow",
	description: "Turns a wish into a workflow",
	arguments: [
		{ name: "wish", description: "What it should do", required: true },
		{ name: "name", description: "What it is called", required: false },
	],
	async get({ wish, name = "unnamed" }, { namespace }) {
		if (wish === "") throw new ToolProblem("wish: must not be empty");
		return {
			description: "Write it",
			messages: [{ role: "user", content: { type: "text", text: `${wish} as ${name} of ${namespace}` } }],
		};
	},
	complete: async (argument, value) => [`${argument}:${value}`],
};
const plain: Prompt = {
	name: "plain",
	title: "Plain",
	description: "Needs nothing",
	arguments: [],
	get: async () => ({ description: "Plain", messages: [] }),
};
const prompts = [write, plain];

describe("prompts", () => {
	test("are listed in order, with their arguments", async () => {
		const { ask } = createAsking({ prompts });
		for (const era of ERAS) {
			const { result } = await ask("prompts/list", {}, { era });
			assert.deepEqual(
				result.prompts.map(({ name }) => name),
				["write_workflow", "plain"],
			);
			assert.deepEqual(result.prompts[0]?.arguments, write.arguments);
			assert.equal("get" in (result.prompts[0] ?? {}), false);
		}
		assert.equal((await ask("prompts/list", { cursor: "x" })).error.code, -32602);
	});

	test("are built for the calling tenant", async () => {
		const params = { name: "write_workflow", arguments: { wish: "mail me" } };
		const { result } = await createAsking({ prompts }).ask("prompts/get", params, { namespace: "beta" });
		assert.deepEqual(result.messages, [
			{ role: "user", content: { type: "text", text: "mail me as unnamed of beta" } },
		]);
	});

	test("an unknown prompt gets -32602 with the list of prompts", async () => {
		for (const name of ["nothing", "__proto__", "constructor"]) {
			const { error } = await createAsking({ prompts }).ask("prompts/get", { name });
			assert.equal(error.code, -32602);
			assert.match(error.message, /write_workflow, plain/);
		}
	});

	test("a missing required argument gets -32602 with its name", async () => {
		const { ask } = createAsking({ prompts });
		for (const args of [undefined, {}, { name: "x" }]) {
			const { error } = await ask("prompts/get", { name: "write_workflow", arguments: args });
			assert.equal(error.code, -32602);
			assert.match(error.message, /needs the argument wish/);
		}
	});

	test("arguments that are not strings, or that the prompt rejects, get -32602", async () => {
		const { ask } = createAsking({ prompts });
		for (const args of [{ wish: 7 }, "text", { wish: "" }])
			assert.equal(
				(await ask("prompts/get", { name: "write_workflow", arguments: args })).error.code,
				-32602,
				JSON.stringify(args),
			);
	});

	test("completions come from the prompt; a prompt without them has none", async () => {
		const { ask } = createAsking({ prompts });
		const complete = (name: string) =>
			ask("completion/complete", {
				ref: { type: "ref/prompt", name },
				argument: { name: "wish", value: "m" },
			});
		assert.deepEqual((await complete("write_workflow")).result.completion.values, ["wish:m"]);
		assert.deepEqual((await complete("plain")).result.completion.values, []);
		assert.equal((await complete("nothing")).error.code, -32602);
	});

	for (const params of [
		{},
		{ ref: { type: "ref/other", name: "plain" }, argument: { name: "a", value: "" } },
	]) {
		test(`completion of ${JSON.stringify(params)} gets -32602`, async () => {
			assert.equal((await createAsking({ prompts }).ask("completion/complete", params)).error.code, -32602);
		});
	}
});
