import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import type { JsonObject } from "@tripline/contract/workflows";
import fc from "fast-check";
import {
	buildRecalledMessages,
	buildTurn,
	cutSummary,
	estimateTokens,
	recallTurns,
} from "../../src/agent/memory.ts";
import type { ConversationTurn } from "../../src/effects.ts";
import { openKnowledge } from "../open-knowledge.ts";
import { runNode } from "../run-node.ts";
import { type Reply, scriptModel } from "./scripted-model.ts";

const words = fc.string({ unit: "grapheme", maxLength: 300 });

/** A turn with any number of calls, several of which may have the same id as those of other turns. */
const anyTurn = fc
	.record({
		asked: words,
		calls: fc.array(fc.array(words, { minLength: 1, maxLength: 3 }), { maxLength: 3 }),
		answer: words,
	})
	.map(({ asked, calls, answer }): JsonObject[] => [
		{ role: "system", content: "Obey." },
		{ role: "user", content: asked },
		...calls.flatMap((results, batch): JsonObject[] => [
			{
				role: "assistant",
				content: "",
				tool_calls: results.map((_, at) => ({ id: `c${batch}${at}`, name: "find", arguments: {} })),
				provider_data: { gemini: [] },
			},
			...results.map((content, at) => ({ role: "tool", tool_call_id: `c${batch}${at}`, content })),
		]),
		{ role: "assistant", content: answer },
	]);

const anyConversation = fc
	.array(anyTurn, { maxLength: 12 })
	.map((turns) =>
		turns.map((messages, at): ConversationTurn => ({ id: `t${at}`, messages: buildTurn(messages) })),
	);

/** Fails for a result without its call, or a call without its result. */
function checkCalls(messages: readonly JsonObject[]): void {
	const seen = new Set<unknown>();
	let open = new Set<unknown>();
	for (const { role, tool_calls, tool_call_id } of messages) {
		if (role === "tool") {
			assert.ok(open.delete(tool_call_id), `${tool_call_id} has no call`);
			continue;
		}
		assert.equal(open.size, 0, "a call has no result");
		const ids = ((tool_calls ?? []) as JsonObject[]).map(({ id }) => id);
		for (const id of ids) assert.ok(!seen.has(id), `${id} is used twice`);
		open = new Set(ids);
		for (const id of ids) seen.add(id);
	}
	assert.equal(open.size, 0);
}

describe("what is recalled of a conversation", () => {
	test("never exceeds its budget, and never has a result without its call", () => {
		const property = fc.property(
			anyConversation,
			fc.integer({ min: 500, max: 3_000 }),
			fc.boolean(),
			words,
			(conversation, budget, summarises, text) => {
				const known = { id: "c", text: text.repeat(40), through: null };
				const newestFirst = conversation.toReversed();
				const { summary, turns, older } = recallTurns(known, newestFirst, budget, summarises);
				const messages = buildRecalledMessages(summary?.text ?? "", turns);
				checkCalls(messages);
				assert.ok(estimateTokens(messages) <= budget, `${estimateTokens(messages)} of ${budget}`);
				const kept = turns.map(({ id }) => id);
				const ids = conversation.map(({ id }) => id);
				assert.deepEqual(kept, ids.slice(ids.length - kept.length), "the last turns, in their order");
				if (older.length > 0)
					assert.deepEqual([...older.map(({ id }) => id), ...kept], ids, "no turn is left out");
				// A new summary fits beside the turns.
				const mended = buildRecalledMessages(
					cutSummary("x".repeat(9_999), budget),
					older.length ? turns : [],
				);
				assert.ok(estimateTokens(mended) <= budget);
			},
		);
		fc.assert(property, { numRuns: 200 });
	});

	test("keeps no system messages, no files and no signatures", () => {
		const file = { $file: "AAAAAAAAAAAAAAAAAAAAAA", name: "a.pdf", type: "application/pdf", size: 1 };
		assert.deepEqual(
			buildTurn([
				{ role: "system", content: "Obey." },
				{
					role: "user",
					content: [
						{ type: "text", text: "Read this." },
						{ type: "file", file },
					],
				},
				{
					role: "assistant",
					content: "",
					tool_calls: [{ id: "c", name: "find", arguments: {}, is_json: true }],
					provider_data: { gemini: [] },
				},
				{ role: "tool", tool_call_id: "c", content: "x".repeat(3_000) },
				{ role: "assistant", content: "Done." },
			]),
			[
				{ role: "user", content: "Read this.\n(file a.pdf)" },
				{
					role: "assistant",
					content: "",
					tool_calls: [{ id: "past00000", name: "find", arguments: {}, is_json: true }],
				},
				{ role: "tool", tool_call_id: "past00000", content: `${"x".repeat(2_000)} (cut)` },
				{ role: "assistant", content: "Done." },
			],
		);
	});
});

const call = (name: string, args: unknown = {}) => ({ name, arguments: args });

describe("an agent with a memory", () => {
	let store: Awaited<ReturnType<typeof openKnowledge>>;
	let runs = 0;

	before(async () => {
		store = await openKnowledge("o");
	});
	after(() => store.close());

	async function converse(key: string, prompt: string, replies: readonly Reply[], more: JsonObject = {}) {
		const model = scriptModel(...replies);
		const { memory = {}, ...params } = more;
		const id = `run-${++runs}`;
		const outcome = await runNode(
			"agent",
			{ model: "m", prompt, memory: { key, ...(memory as JsonObject) }, ...params },
			{
				effects: {
					http: (request) => model.http(request),
					knowledge: store.knowledge,
					conversations: store.converse(id),
					buildStepKey: (step) => `${id}:${step}`,
				},
			},
		);
		return { outcome, model, asked: model.requests.map(({ messages }) => messages) };
	}

	test("begins with what was said before under its key, and with nothing under another", async () => {
		await converse("a", "I am Ada.", ["Hello Ada."]);
		const { asked } = await converse("a", "Who am I?", ["Ada."]);
		assert.deepEqual(asked[0], [
			{ role: "user", content: "I am Ada." },
			{ role: "assistant", content: "Hello Ada." },
			{ role: "user", content: "Who am I?" },
		]);
		const other = await converse("b", "Who am I?", ["I do not know."]);
		assert.equal(other.asked[0]?.length, 1);
	});

	test("recalls calls of tools with their results, if it has tools", async () => {
		const tools = [{ component: "template", name: "shout" }];
		await converse("tools", "Shout.", [[call("shout", { text: "tea" })], "Done."], { tools });
		const { asked } = await converse("tools", "Again.", ["No."], { tools });
		assert.deepEqual(
			asked[0]?.map(({ role, content }) => [role, content]),
			[
				["user", "Shout."],
				["assistant", null],
				["tool", "tea"],
				["assistant", "Done."],
				["user", "Again."],
			],
		);
		const without = await converse("tools", "And now?", ["No."]);
		assert.ok(without.asked[0]?.every(({ role }) => role !== "tool"));
	});

	test("adds nothing if it fails, and each turn once", async () => {
		const again = [call("template", { text: "x" })];
		const failed = await converse("fails", "Hello", [again, again], {
			tools: [{ component: "template" }],
			max_steps: 1,
		});
		assert.ok("error" in failed.outcome);
		const { asked } = await converse("fails", "Hello", ["Hi."]);
		assert.equal(asked[0]?.length, 1);
		const conversations = store.converse("twice");
		const { signal } = new AbortController();
		const messages = [{ role: "user", content: "Once." }];
		for (const _ of [1, 2]) await conversations.append("twice", "run:1", messages, signal);
		const { turns } = await conversations.listTurns("twice", { limit: 10, cursor: null }, signal);
		assert.equal(turns.length, 1);
	});

	test("summarises turns that no longer fit, and not again before as many have come", async () => {
		const memory = { max_tokens: 500, summarise: true };
		const long = "Tea. ".repeat(60);
		let summaries = 0;
		const requests: number[] = [];
		for (let turn = 0; turn < 12; turn++) {
			const { model, outcome } = await converse("long", `${turn}: ${long}`, [`Summary ${turn}.`, "Yes."], {
				memory,
			});
			assert.ok("output" in outcome, JSON.stringify(outcome));
			requests.push(model.requests.length);
			if (model.requests.length === 1) continue;
			summaries += 1;
			const [first, last] = model.requests;
			assert.match(first?.messages[0]?.content ?? "", /The conversation is data/);
			if (summaries > 1) assert.match(first?.messages[1]?.content ?? "", /^\{"summary":"Summary \d+\."/);
			assert.match(last?.messages[0]?.content ?? "", /It is data.*\n\{"summary":"Summary \d+\."\}$/);
			const usage = (outcome.output as JsonObject).usage as JsonObject;
			assert.equal(usage.total_tokens, 30, "a summary counts");
		}
		assert.ok(summaries >= 2 && summaries <= 6, `${requests}`);
	});

	test("goes on without a summary if the model does not give one", async () => {
		const memory = { max_tokens: 500, summarise: true };
		for (let turn = 0; turn < 4; turn++)
			await converse("mute", "Tea. ".repeat(100), ["", "Yes."], { memory });
		const { outcome, asked } = await converse("mute", "Still there?", ["", "Yes."], { memory });
		assert.ok("output" in outcome);
		assert.equal((outcome.output as JsonObject).text, "Yes.");
		assert.equal(asked.length, 2);
	});

	test("remembers facts with their source, at most ten in a run", async () => {
		const facts = Array.from({ length: 12 }, (_, at) =>
			call("remember", { subject: "Ada", predicate: "likes", object: `tea ${at}` }),
		);
		const { model, outcome } = await converse("facts", "I like tea.", [facts, "Noted."], {
			memory: { facts: true },
		});
		assert.ok("output" in outcome, JSON.stringify(outcome));
		const results = model.readResults();
		assert.deepEqual(results.slice(0, 10), new Array(10).fill('{"remembered":true}'));
		assert.deepEqual(results.slice(10), new Array(2).fill("At most 10 facts can be remembered."));
		const fact = { subject: "Ada", predicate: "likes", object: "tea 0" };
		const { because } = await store.knowledge.explainFact(fact, new AbortController().signal);
		assert.deepEqual(
			because.map(({ source_uri, block_id }) => [source_uri, block_id]),
			[["conversation:test/facts", `run-${runs}`]],
		);
		const [tool] = (model.requests[0]?.tools ?? []) as { function: { parameters: { properties: object } } }[];
		assert.deepEqual(Object.keys(tool?.function.parameters.properties ?? {}), [
			"subject",
			"predicate",
			"object",
		]);
	});

	test("cites only entries that its tools have returned", async () => {
		const { signal } = new AbortController();
		for (const page_name of ["Kettle", "Teapot"])
			await store.knowledge.upsert(
				{ entry_type: "manual", page_name, content: `Descale the ${page_name}.`, metadata_json: undefined },
				signal,
			);
		const { model, outcome } = await converse(
			"cites",
			"How do I descale?",
			[
				[call("kb_search", { q: "descale" }), call("kb_get", { page_name: "Kettle", entry_type: "manual" })],
				"Monthly [2], not daily [7]. See [2, 9].",
			],
			{ tools: [{ component: "kb_search" }, { component: "kb_get" }], citations: true },
		);
		assert.ok("output" in outcome, JSON.stringify(outcome));
		const [found = "", got = ""] = model.readResults();
		const { suggestions } = JSON.parse(found) as {
			suggestions: { mark: string; page_name: string; id: string }[];
		};
		assert.deepEqual(
			suggestions.map(({ mark }) => mark),
			["[1]", "[2]"],
		);
		const kettle = suggestions.find(({ page_name }) => page_name === "Kettle");
		assert.equal(JSON.parse(got).mark, kettle?.mark, "an entry keeps its mark");
		const { citations } = outcome.output as {
			citations: { mark: number; entry_id: string; page_name: string }[];
		};
		const { id, page_name } = suggestions[1] as { id: string; page_name: string };
		assert.deepEqual(
			citations.map((each) => [each.mark, each.entry_id, each.page_name]),
			[[2, id, page_name]],
		);
		const { asked } = await converse("cites", "Thanks.", ["You are welcome."], {
			tools: [{ component: "kb_search" }],
			citations: true,
		});
		assert.doesNotMatch(JSON.stringify(asked[0]), /\[\d\]/, "marks are not remembered");
	});

	for (const [what, params, message] of [
		["a key that is empty", { memory: { key: "" } }, /memory\.key" must be at least 1/],
		["a budget that is too small", { memory: { max_tokens: 10 } }, /memory\.max_tokens/],
		[
			"a tool with the name of a step",
			{ tools: [{ component: "kb_get", name: "recall" }] },
			/needs a name of its own/,
		],
		[
			"a credential in the key",
			{ memory: { key: "{{credential.shop}}" } },
			/a credential must not be in a text for the model/,
		],
	] as const)
		test(`refuses ${what}`, async () => {
			const { outcome } = await converse("refused", "Hello", [], params as unknown as JsonObject);
			assert.ok("error" in outcome);
			assert.match(outcome.error, message);
		});
});
