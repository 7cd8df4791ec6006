import assert from "node:assert/strict";
import {
	BYTES_PER_TOKEN,
	ConversationFacts,
	ConversationPage,
	DeletedConversation,
	TurnPage,
} from "@tripline/contract/conversations";
import { Belief } from "@tripline/contract/graph";
import { RunResult } from "@tripline/contract/workflows";
import type { Scenario, World } from "../../scenario.ts";
import { call, openModel } from "./agents.ts";
import { createWorkflow, listStored, otherTenant, run, save } from "./saving.ts";

const MEMORY = { prompt: "{{input.message}}", memory: { key: "{{input.conversation}}" } };

const say = (world: World, message: string, conversation = "c/7 + ä", name = "agent") =>
	run(world, name, { conversation, message });

const listConversations = async (world: World) =>
	(await world.executor.expect(200, ConversationPage, "GET", "/conversations")).conversations;

const FORMATS = ["openai", "anthropic", "gemini"] as const;

const formats: readonly Scenario[] = FORMATS.flatMap((format) => [
	{
		name: `an agent goes on with a conversation, with its calls of tools, in the format of ${format}`,
		cites: [],
		async run(world: World) {
			const model = openModel(world, [[call("shout", { text: "TEA" })], "Done.", "You said: shout."], format);
			const tools = [{ component: "template", name: "shout" }];
			await save(world, createWorkflow("agent", { ...model.settings, ...MEMORY, tools }));
			await say(world, "Shout tea.");
			const { nodes } = await say(world, "What did I say?");
			assert.match(model.seen[2]?.body ?? "", /Shout tea\..*TEA.*Done\..*What did I say\?/s);
			assert.deepEqual(model.readResults(), ["TEA"]);
			assert.deepEqual(
				nodes?.filter(({ status }) => status === "success").map(({ id }) => id),
				["only", "only/model", "only/recall", "only/keep"],
			);
		},
	},
	{
		name: `an agent cites what it found, and nothing else, in the format of ${format}`,
		cites: [],
		async run(world: World) {
			const entry = { owner_id: world.owner, entry_type: "manual", content: "Descale the kettle monthly." };
			await world.call("POST", "/entries", { body: { ...entry, page_name: "kettle" } });
			const script = [[call("kb_search", { q: "descale" })], "Monthly [1]. Not daily [2]."];
			const model = openModel(world, script, format);
			const tools = [{ component: "kb_search" }];
			await save(world, createWorkflow("agent", { ...model.settings, tools, citations: true }));
			const { data } = await run(world, "agent");
			const { citations } = data as unknown as {
				readonly citations: readonly { readonly entry_id: string }[];
			};
			const [stored] = await listStored(world, "manual");
			assert.deepEqual(citations, [
				{
					...{ mark: 1, entry_id: stored?.id, entry_type: "manual", page_name: "kettle" },
					text: "Descale the kettle monthly.",
				},
			]);
			assert.match(model.readResults()[0] ?? "", /"mark":"\[1\]"/);
		},
	},
]);

export const agentMemory: readonly Scenario[] = [
	...formats,
	{
		name: "a conversation is of its tenant, its workflow and its key",
		cites: [],
		async run(world) {
			const model = openModel(world, []);
			const settings = { ...model.settings, ...MEMORY };
			for (const name of ["agent", "other"]) await save(world, createWorkflow(name, settings));
			await say(world, "My secret is 4711.");
			await say(world, "And?", "c/8");
			await say(world, "And?", "c/7 + ä", "other");
			const headers = otherTenant(world);
			const theirs = createWorkflow("agent", settings);
			await world.executor.call("POST", "/webhooks/named", { body: theirs, headers });
			const input = { conversation: "c/7 + ä", message: "And?" };
			await world.executor.expect(200, RunResult, "POST", "/webhooks/named/agent/trigger", {
				...{ headers, body: input },
			});
			assert.equal(model.seen.length, 4);
			for (const { body } of model.seen.slice(1)) assert.doesNotMatch(body, /4711/);
			const query = { workflow: "agent", key: "c/8" };
			await world.executor.refuse(404, "GET", "/conversations/turns", { query, headers });
			await world.executor.refuse(404, "DELETE", "/conversations", { query, headers });
			const { conversations } = await world.executor.expect(200, ConversationPage, "GET", "/conversations", {
				headers,
			});
			assert.deepEqual(
				conversations.map(({ key, turns }) => [key, turns]),
				[["c/7 + ä", 1]],
			);
			assert.equal((await listConversations(world)).length, 3);
		},
	},
	{
		name: "runs of one conversation at the same time all keep their turns",
		cites: [],
		async run(world) {
			const model = openModel(world, []);
			await save(world, createWorkflow("agent", { ...model.settings, ...MEMORY }));
			await Promise.all(Array.from({ length: 6 }, (_, at) => say(world, `message ${at}`)));
			await say(world, "last");
			const last = model.seen.at(-1)?.body ?? "";
			for (let at = 0; at < 6; at++) assert.match(last, new RegExp(`message ${at}`));
		},
	},
	{
		name: "a conversation is read and deleted, and tells which facts stay",
		cites: [],
		async run(world) {
			const fact = { subject: "Ada", predicate: "likes", object: "tea" };
			const model = openModel(world, [[call("remember", fact)], "Noted.", "Who are you?"]);
			const settings = { ...model.settings, prompt: "{{input.message}}" };
			const memory = { key: "{{input.conversation}}", facts: true };
			await save(world, createWorkflow("agent", { ...settings, memory }));
			const { execution_id } = await say(world, "I am Ada and like tea.");
			const query = { workflow: "agent", key: "c/7 + ä" };
			const [listed] = await listConversations(world);
			assert.deepEqual(
				{ ...listed, started_at: "", last_at: "" },
				{
					...query,
					...{ turns: 1, tokens: listed?.tokens, has_summary: false, started_at: "", last_at: "" },
				},
			);
			const { turns, summary } = await world.executor.expect(200, TurnPage, "GET", "/conversations/turns", {
				query,
			});
			assert.equal(summary, null);
			assert.equal(turns[0]?.execution_id, execution_id);
			assert.deepEqual(
				turns[0]?.messages.map((message) => (message as { readonly role: string }).role),
				["user", "assistant", "tool", "assistant"],
			);
			assert.equal(
				listed?.tokens,
				Math.ceil(Buffer.byteLength(JSON.stringify(turns[0]?.messages)) / BYTES_PER_TOKEN),
			);
			const listFacts = (more: object = {}) =>
				world.executor.expect(200, ConversationFacts, "GET", "/conversations/facts", {
					query: { ...query, ...more },
				});
			const stated = await listFacts();
			assert.deepEqual(
				stated.facts.map(({ id, at, ...known }) => known),
				[{ ...fact, execution_id }],
			);
			const theirs = { headers: otherTenant(world), query };
			const hidden = await world.executor.expect(
				...[200, ConversationFacts, "GET", "/conversations/facts", theirs],
			);
			assert.deepEqual(hidden.facts, []);
			for (const wrong of [{ limit: "0" }, { limit: "101" }, { cursor: "x" }, { key: "" }])
				await world.executor.refuse(422, "GET", "/conversations/facts", { query: { ...query, ...wrong } });
			const deleted = await world.executor.expect(200, DeletedConversation, "DELETE", "/conversations", {
				query,
			});
			assert.equal((await listFacts({ limit: "1" })).next_cursor, null, "facts stay");
			const source = "conversation:agent/c/7 + ä";
			assert.deepEqual(deleted, { deleted: true, turns: 1, facts: { source, count: 1 } });
			await world.executor.refuse(404, "DELETE", "/conversations", { query });
			await world.executor.refuse(404, "GET", "/conversations/turns", { query });
			assert.deepEqual(await listConversations(world), []);
			const asked = { owner_id: world.owner, ...fact };
			const { because } = await world.expect(200, Belief, "GET", "/graph/why", { query: asked });
			assert.deepEqual(
				because.map(({ source_uri, block_id }) => [source_uri, block_id]),
				[[source, execution_id]],
			);
			await say(world, "Who am I?");
			assert.doesNotMatch(model.seen.at(-1)?.body ?? "", /like tea/);
		},
	},
	{
		name: "what no longer fits is summarised once, and the summary is kept and used",
		cites: [],
		async run(world) {
			const model = openModel(world, ["Yes.", "Yes.", "They talk about tea-4711.", "Yes.", "Yes."]);
			const memory = { key: "{{input.conversation}}", max_tokens: 500, summarise: true };
			await save(world, createWorkflow("agent", { ...model.settings, prompt: "{{input.message}}", memory }));
			for (const message of ["tea ".repeat(300), "pot ".repeat(300), "And now?", "And then?"])
				await say(world, message);
			assert.equal(model.seen.length, 5, "one summary");
			for (const at of [3, 4]) {
				const { body = "" } = model.seen[at] ?? {};
				assert.match(body, /It is data.*tea-4711/s);
				assert.doesNotMatch(body, /tea tea/);
			}
			const [listed] = await listConversations(world);
			assert.deepEqual([listed?.turns, listed?.has_summary], [4, true]);
		},
	},
	{
		name: "the store keeps a turn once, however often it is sent",
		cites: [],
		async run(world) {
			const where = { owner_id: world.owner, workflow: "agent", key: "k" };
			const append = (number: number) =>
				world.call("POST", "/conversations/turns", {
					body: {
						...{ ...where, id: `01890000-0000-7000-8000-${String(number).padStart(12, "0")}` },
						...{ execution_id: "run", messages_json: JSON.stringify([number]) },
					},
				});
			assert.deepEqual((await append(1)).body, { appended: true });
			assert.deepEqual((await append(1)).body, { appended: false });
			await Promise.all([append(2), append(2), append(3)]);
			const [listed] = await listConversations(world);
			assert.equal(listed?.turns, 3);
			for (const body of [{}, { ...where, id: "x" }, { ...where, key: "" }])
				await world.refuse(422, "POST", "/conversations/turns", { body });
		},
	},
];
