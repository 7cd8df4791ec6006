import assert from "node:assert/strict";
import { AcceptedRun } from "@tripline/contract/executor";
import { ERAS, type Fields } from "../../../mcp/wire.ts";
import type { Scenario, World } from "../../scenario.ts";
import { eventually } from "../executor/eventually.ts";
import { createWorkflow, save, trigger } from "../executor/saving.ts";
import { callForProblem, callTool } from "./asking.ts";
import { OPEN } from "./settings.ts";

const UNKNOWN = "0199aaaa-bbbb-7ccc-8ddd-00000000ffff";

async function ask(world: World, name: string, settings: Fields): Promise<string> {
	await save(world, createWorkflow(name, { component: "ask", question: "Pay?", to: "Ada", ...settings }));
	const answer = await trigger(world, name, { body: {}, headers: { prefer: "respond-async" } });
	return AcceptedRun.parse(answer.body).execution_id;
}

const findQuestion = (world: World, execution_id: string) =>
	eventually(async () => {
		const { questions } = await callTool(world, "list_waiting");
		const found = (questions as Fields[]).find((each) => each.execution_id === execution_id);
		assert.ok(found !== undefined);
		return found;
	});

export const questionTools: readonly Scenario[] = [
	{
		name: "an assistant answers a question that allows it, once, and no other",
		cites: ["MCP-THIN-SHELL", "MCP-EXPOSES-TENANT-DATA"],
		environment: OPEN,
		async run(world) {
			for (const era of ERAS) {
				const execution_id = await ask(world, `open ${era}`, { assistants: true });
				const { id, ...question } = await findQuestion(world, execution_id);
				assert.deepEqual(
					[question.workflow, question.question, question.to, question.assistants],
					[`open ${era}`, "Pay?", "Ada", true],
				);
				const call = { execution_id, id, answer: { approved: true } };
				const refuse = (args: Fields, bearer = world.owner) =>
					callForProblem(world, "answer_question", { ...call, ...args }, { era, bearer });
				assert.match(await refuse({ answer: { approved: "perhaps" } }), /does not fit the question's fields/);
				assert.match(await refuse({ execution_id: UNKNOWN }), /^There is no question/);
				assert.match(await refuse({}, `${world.owner}-other`), /^There is no question/);
				const answered = await callTool(world, "answer_question", call, { era });
				assert.deepEqual(answered, { status: "answered" });
				assert.match(await refuse({}), /the question was answered before/);
				await eventually(async () => {
					const { status } = await callTool(world, "get_execution", { execution_id }, { era });
					assert.equal(status, "success");
				});
			}
		},
	},
	{
		name: "an assistant sees a question for a person and cannot answer it",
		cites: ["MCP-THIN-SHELL"],
		environment: OPEN,
		async run(world) {
			const execution_id = await ask(world, "for people", {});
			const { id, assistants } = await findQuestion(world, execution_id);
			assert.equal(assistants, false);
			const call = { execution_id, id, answer: { approved: true } };
			assert.match(await callForProblem(world, "answer_question", call), /Only a person may answer/);
			assert.equal((await findQuestion(world, execution_id)).id, id);
			await callTool(world, "cancel_execution", { execution_id });
			await eventually(async () => assert.deepEqual((await callTool(world, "list_waiting")).questions, []));
		},
	},
	{
		name: "an assistant lists runs that wait for a time below the questions",
		cites: ["MCP-THIN-SHELL"],
		environment: OPEN,
		async run(world) {
			const asking = await ask(world, "asking", {});
			await findQuestion(world, asking);
			await save(world, createWorkflow("later", { component: "wait", for: "2 days" }));
			const accepted = await trigger(world, "later", { body: {}, headers: { prefer: "respond-async" } });
			const { execution_id } = AcceptedRun.parse(accepted.body);
			const first = await eventually(async () => {
				const told = await callTool(world, "list_waiting");
				assert.deepEqual(
					(told.runs as Fields[]).map((run) => run.execution_id),
					[execution_id],
				);
				return told;
			});
			assert.equal((first.questions as Fields[]).length, 1);
			const page = await callTool(world, "list_waiting", { limit: 1 });
			assert.deepEqual([(page.questions as Fields[]).length, page.runs], [1, []]);
			const rest = await callTool(world, "list_waiting", { cursor: page.next_cursor });
			assert.deepEqual([rest.questions, (rest.runs as Fields[]).length, rest.next_cursor], [[], 1, null]);
			for (const id of [asking, execution_id])
				await callTool(world, "cancel_execution", { execution_id: id });
		},
	},
];
