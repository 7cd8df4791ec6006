import type {
	Conversation,
	ConversationFacts,
	ConversationName,
	TurnPage,
} from "@tripline/contract/conversations";
import { CliProblem, type Invocation, type Outcome } from "../command.ts";
import { formatTime } from "../format-time.ts";
import { parseLimit } from "../limit.ts";
import { confirmPlan } from "../plan.ts";
import { toPrintable } from "../printable.ts";
import { createExecutor } from "../services.ts";

const PAGE_SIZE = 100;

export async function list({ io, flags }: Invocation): Promise<Outcome> {
	const limit = parseLimit(flags.limit);
	const executor = createExecutor(io);
	const conversations: Conversation[] = [];
	let cursor: string | undefined;
	do {
		const page = { limit: Math.min(PAGE_SIZE, limit - conversations.length), cursor };
		const read = await executor.conversations.list(page);
		conversations.push(...read.conversations);
		cursor = read.next_cursor ?? undefined;
	} while (cursor !== undefined && conversations.length < limit);
	return {
		json: { conversations },
		text: {
			columns: ["started", "last turn", "turns", "tokens", "workflow", "key"],
			rows: conversations.map(({ started_at, last_at, turns, tokens, workflow, key }) => [
				formatTime(started_at),
				formatTime(last_at),
				String(turns),
				String(tokens),
				workflow,
				key,
			]),
			empty: "no conversations",
		},
	};
}

export async function show({ io, flags, positionals }: Invocation): Promise<Outcome> {
	const limit = parseLimit(flags.limit);
	const name = readName(positionals);
	const executor = createExecutor(io);
	const turns: TurnPage["turns"] = [];
	let summary: string | null = null;
	let cursor: string | undefined;
	do {
		const page = await executor.conversations.read(name, {
			limit: Math.min(PAGE_SIZE, limit - turns.length),
			cursor,
		});
		if (page === null) throw unknownConversationProblem();
		turns.push(...page.turns);
		summary = page.summary;
		cursor = page.next_cursor ?? undefined;
	} while (cursor !== undefined && turns.length < limit);
	turns.reverse();
	const { facts } = await executor.conversations.facts(name, { limit: Math.min(PAGE_SIZE, limit) });
	return { json: { ...name, summary, turns, facts }, text: renderTurns(summary, turns, facts) };
}

function renderTurns(
	summary: string | null,
	turns: TurnPage["turns"],
	facts: ConversationFacts["facts"],
): string {
	const known = facts.map(
		({ subject, predicate, object }) => `fact: ${toPrintable(`${subject} ${predicate} ${object}`)}`,
	);
	const said = turns.flatMap(({ at, messages }) => [
		`${formatTime(at)}`,
		...messages.flatMap((message) => {
			const { role, content } = message as { readonly role: string; readonly content: string };
			return role === "tool" || content === "" ? [] : [`  ${role}: ${toPrintable(content)}`];
		}),
	]);
	return [...(summary === null ? [] : [`summary: ${toPrintable(summary)}`]), ...known, ...said].join("\n");
}

export async function remove(invocation: Invocation): Promise<Outcome> {
	const name = readName(invocation.positionals);
	const executor = createExecutor(invocation.io);
	if ((await executor.conversations.read(name, { limit: 1 })) === null) throw unknownConversationProblem();
	const shown = toPrintable(`${name.workflow} ${name.key}`);
	const isConfirmed = await confirmPlan(invocation, {
		lines: [`${shown}: its turns and its summary are deleted for good`],
		question: `delete ${shown}`,
		refusal: `${shown} was not deleted`,
	});
	if (!isConfirmed) return { json: { ...name, result: "would delete" }, text: `${shown}: would be deleted` };
	const deleted = await executor.conversations.delete(name);
	if (deleted === null) throw unknownConversationProblem();
	const { count, source } = deleted.facts;
	const facts = count === 0 ? "" : `; facts that stay: ${count}, with the source ${toPrintable(source)}`;
	return {
		json: { ...name, result: "deleted", turns: deleted.turns, facts: deleted.facts },
		text: `${shown} is deleted (turns: ${deleted.turns})${facts}`,
	};
}

const readName = ({ workflow, key }: Invocation["positionals"]): ConversationName => ({
	workflow: workflow as string,
	key: key as string,
});

const unknownConversationProblem = (): CliProblem =>
	new CliProblem("there is no such conversation", { hint: "tripline conversations list lists them" });
