import { setTimeout as wait } from "node:timers/promises";
import type { Answer } from "../history.ts";
import { callOutside } from "../outside.ts";
import { acceptRun, type Callers, LASTING, type Load, saveWorkflow, takeKey } from "./load.ts";

const POLL_MS = 500;

/** Runs that ask, and two people who answer at the same time, differently. */
export const approvals: Load = {
	name: "approval",
	maxPauseMs: 1_500,
	prepare: (callers) =>
		saveWorkflow(callers, "approval", {
			options: LASTING,
			triplets: ["input >> then >> ask", "ask >> then >> call"],
			config: {
				ask: { component: "ask", question: "{{input.key}} {{input.mark}}", expires: "1 day" },
				call: callOutside(callers.outside, callers.client.tenant, {
					purpose: "answer",
					subject: "{{input.key}}",
					value: "{{ask.comment}}",
				}),
			},
		}),
	async round(callers) {
		const subject = takeKey("approval");
		const execution = await acceptRun(callers, "approval", subject);
		if (execution === null) return;
		const question = await findQuestion(callers, execution);
		if (question === null) return;
		const path = `/questions/${execution}/${question}/answer`;
		const { history, client } = callers;
		await Promise.all(
			["yes", "no"].map(async (answer) => {
				const outcome = await answerQuestion(callers, path, answer);
				history.answers.push({ tenant: client.tenant.name, subject, answer, outcome });
			}),
		);
	},
};

/** Null if the run did not ask until the callers give up. */
async function findQuestion({ client, until }: Callers, execution: string): Promise<string | null> {
	for (;;) {
		const reply = await client.call("questions", "GET", "/questions?limit=100");
		if (reply?.isOk) {
			const { questions } = JSON.parse(reply.text) as { questions: { execution_id: string; id: string }[] };
			const asked = questions.find(({ execution_id }) => execution_id === execution);
			if (asked !== undefined) return asked.id;
		}
		if (until.isOver()) return null;
		await wait(POLL_MS);
	}
}

async function answerQuestion(
	{ client, until }: Callers,
	path: string,
	comment: string,
): Promise<Answer["outcome"]> {
	let isUnclear = false;
	for (;;) {
		const reply = await client.call("answer", "POST", path, {
			body: { answer: { approved: comment === "yes", comment } },
		});
		if (reply?.status === 200) return "accepted";
		if (reply?.status === 409) return isUnclear ? "unknown" : "refused";
		// Also 503: the database may have been lost while the answer was being committed.
		isUnclear = true;
		if (until.isOver()) return "unknown";
		await wait(POLL_MS);
	}
}
