import assert from "node:assert/strict";
import { ChatConversation } from "@tripline/contract/chat";
import { AnsweredQuestion, QuestionPage } from "@tripline/contract/questions";
import { APIError } from "openai";
import type { Scenario, World } from "../../scenario.ts";
import { call, openModel } from "./agents.ts";
import { chat, connect, PUBLIC, say } from "./chat.ts";
import { eventually } from "./eventually.ts";
import { createWorkflow, save } from "./saving.ts";

/** A chat in which a person has to agree before the reply. */
const saveAsking = (world: World) =>
	save(world, {
		...createWorkflow("careful", {}, chat(PUBLIC)),
		triplets: ["input >> then >> ask", "ask >> then >> answer"],
		config: {
			ask: { component: "ask", question: "Say this to a visitor? {{input.message}}" },
			answer: {
				component: "template",
				text: "{{ask.comment}} ({{input.messages[1].content | default('first')}})",
			},
		},
	});

/** Sends a message whose run waits. */
async function sayWaiting(world: World, name: string, body: object) {
	const events = await say(world, name, body);
	const last = events.at(-1);
	assert.deepEqual([last?.event, last?.data.status], ["problem", "continues"]);
	assert.ok(!JSON.stringify(events).includes("/ask/"), "the visitor does not answer the question");
	return events[0]?.data.conversation ?? "";
}

const readTurns = async (world: World, name: string, conversation: string, query = "") =>
	(
		await world.anyone.expect(
			200,
			ChatConversation,
			"GET",
			`/chat/${world.owner}/${name}/conversations/${conversation}${query}`,
		)
	).turns;

const findQuestion = (world: World) =>
	eventually(async () => {
		const { questions } = await world.executor.expect(200, QuestionPage, "GET", "/questions");
		assert.equal(questions.length, 1);
		return questions[0] as (typeof questions)[number];
	});

async function answer(world: World, given: object): Promise<void> {
	const { id, execution_id } = await findQuestion(world);
	const path = `/questions/${execution_id}/${id}/answer`;
	await world.executor.expect(200, AnsweredQuestion, "POST", path, { body: { answer: given } });
}

export const chatReplies: readonly Scenario[] = [
	{
		name: "the reply of a run that waits comes into the conversation, also after a restart",
		cites: [],
		async run(world) {
			await saveAsking(world);
			const conversation = await sayWaiting(world, "careful", { message: "May I?" });
			const { execution_id } = await findQuestion(world);
			await eventually(async () => {
				const [turn] = await readTurns(world, "careful", conversation);
				assert.deepEqual(
					[turn?.status, turn?.waits_for, turn?.reply, turn?.execution_id],
					["waiting", "answer", null, execution_id],
				);
			});
			await world.target.restart({});
			await answer(world, { approved: true, comment: "You may." });
			const [turn] = await eventually(async () => {
				const turns = await readTurns(world, "careful", conversation);
				assert.equal(turns[0]?.status, "answered");
				return turns;
			});
			assert.deepEqual([turn?.reply, turn?.waits_for], ["You may. (first)", null]);

			await sayWaiting(world, "careful", { conversation, message: "And now?" });
			await answer(world, { approved: true, comment: "Still." });
			await eventually(async () => {
				const [last, ...others] = await readTurns(world, "careful", conversation, "?last=1");
				assert.deepEqual([last?.reply, others.length], ["Still. (You may. (first))", 0]);
			});
			const path = `/chat/${world.owner}/careful/conversations/${conversation}`;
			for (const query of ["?last=0", "?last=201", "?last=x", "?first=1"])
				await world.anyone.refuse(422, "GET", path + query);
		},
	},
	{
		name: "a run of a chat that is cancelled while it waits is stopped",
		cites: [],
		async run(world) {
			await saveAsking(world);
			const conversation = await sayWaiting(world, "careful", { message: "May I?" });
			const { execution_id } = await findQuestion(world);
			assert.equal((await world.executor.call("POST", `/executions/${execution_id}/cancel`)).status, 200);
			await eventually(async () => {
				const [turn] = await readTurns(world, "careful", conversation);
				assert.deepEqual([turn?.status, turn?.waits_for, turn?.reply], ["stopped", null, null]);
			});
			const own = `/workflows/careful/conversations/${conversation}`;
			const { turns } = await world.executor.expect(200, ChatConversation, "GET", `${own}?last=1`);
			assert.equal(turns[0]?.status, "stopped");
		},
	},
	{
		name: "what a run of a chat uses after it has waited counts to the tokens of the day",
		cites: [],
		async run(world) {
			const model = openModel(world, [[call("shout", { text: "tea" })], "Tea is ready."]);
			const agent = { ...model.settings, prompt: "{{input.message}}", approve: ["shout"] };
			const tools = [{ component: "template", name: "shout" }];
			// Each answer of the model double takes 15.
			const limits = { access: "public", daily_tokens: 20 };
			await save(world, createWorkflow("thrifty", { ...agent, tools }, chat(limits)));
			const conversation = await sayWaiting(world, "thrifty", { message: "Tea" });
			await answer(world, { approved: true });
			await eventually(async () => {
				const [turn] = await readTurns(world, "thrifty", conversation);
				assert.equal(turn?.reply, "Tea is ready.");
			});
			await eventually(async () => {
				const path = `/chat/${world.owner}/thrifty/messages`;
				const refused = await world.anyone.call("POST", path, { body: { message: "More" } });
				assert.match(JSON.stringify(refused.body), /tokens of this chat are used up/);
			});
		},
	},
	{
		name: "OpenAI's client is told that a run waits, and does not repeat the call",
		cites: [],
		async run(world) {
			await saveAsking(world);
			const messages = [{ role: "user" as const, content: "May I?" }];
			const ask = connect(world).chat.completions.create({ model: "careful", messages });
			await assert.rejects(ask, (error) => {
				assert.ok(error instanceof APIError);
				assert.deepEqual([error.status, error.code], [500, "run_continues"]);
				assert.equal(error.headers?.get("x-should-retry"), "false");
				return true;
			});
			await answer(world, { approved: true, comment: "Yes." });
		},
	},
];
