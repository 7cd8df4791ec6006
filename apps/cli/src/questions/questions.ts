import type { Json } from "@tripline/contract/json";
import type { OpenQuestion } from "@tripline/contract/questions";
import type { JsonObject } from "@tripline/contract/workflows";
import type { TenantExecutor } from "@tripline/executor/client";
import { CliProblem, type Invocation, type Outcome } from "../command.ts";
import { formatTime } from "../format-time.ts";
import type { Io } from "../io.ts";
import { toPrintable } from "../printable.ts";
import { createExecutor } from "../services.ts";

export async function list({ io }: Invocation): Promise<Outcome> {
	const questions = await listAll(createExecutor(io));
	return {
		json: { questions },
		text: {
			columns: ["asked", "until", "workflow", "to", "execution", "question id", "question"],
			rows: questions.map((each) => [
				formatTime(each.asked_at),
				formatTime(each.expires_at),
				each.workflow,
				each.to ?? "",
				each.execution_id,
				each.id,
				each.question,
			]),
			empty: "no open questions",
		},
	};
}

export async function answer({ io, positionals, flags }: Invocation): Promise<Outcome> {
	const executor = createExecutor(io);
	const execution_id = positionals.execution as string;
	const id = positionals.question as string;
	const given = (flags.field ?? []) as readonly string[];
	const json = flags["json-answer"] as string | undefined;
	if (json !== undefined && given.length > 0)
		throw new CliProblem("--json-answer cannot be combined with --field", { code: 2 });
	const asked = (await listAll(executor)).find(
		(each) => each.execution_id === execution_id && each.id === id,
	);
	if (asked === undefined)
		throw new CliProblem("there is no such open question", { hint: "tripline questions lists them" });
	const value = json === undefined ? await readFields(io, asked, given) : parseAnswer(json);
	const answered = await executor.questions.answer({ execution_id, id }, value);
	if (answered === null)
		throw new CliProblem("there is no such open question", { hint: "tripline questions lists them" });
	return { json: answered, text: answered.status };
}

async function listAll({ questions }: TenantExecutor): Promise<OpenQuestion[]> {
	const found: OpenQuestion[] = [];
	let cursor: string | undefined;
	do {
		const page = await questions.list({ limit: 20, cursor });
		found.push(...page.questions);
		cursor = page.next_cursor ?? undefined;
	} while (cursor !== undefined);
	return found;
}

async function readFields(io: Io, asked: OpenQuestion, given: readonly string[]): Promise<JsonObject> {
	const fields = (asked.fields.properties ?? {}) as Readonly<Record<string, { readonly type?: Json }>>;
	const answer: Record<string, Json> = {};
	for (const each of given) {
		const at = each.indexOf("=");
		if (at < 1) throw new CliProblem(`--field ${each} must be name=value`, { code: 2 });
		const name = each.slice(0, at);
		answer[name] = parseValue(each.slice(at + 1), fields[name]?.type);
	}
	if (given.length > 0) return answer;
	io.err(`${toPrintable(asked.question)}\n`);
	for (const [name, { type }] of Object.entries(fields)) {
		const typed = await io.ask(toPrintable(name));
		if (typed === null)
			throw new CliProblem(`the answer has the fields ${Object.keys(fields).join(", ")}`, {
				code: 2,
				hint: "Not a terminal; pass --field name=value or --json-answer",
			});
		if (typed !== "") answer[name] = parseValue(typed, type);
	}
	return answer;
}

function parseValue(text: string, type: Json | undefined): Json {
	if (type === undefined || type === "string") return text;
	try {
		return JSON.parse(text) as Json;
	} catch {
		return text;
	}
}

function parseAnswer(text: string): JsonObject {
	try {
		const value = JSON.parse(text) as Json;
		if (typeof value === "object" && value !== null && !Array.isArray(value)) return value;
	} catch {}
	throw new CliProblem("--json-answer must be a JSON object", { code: 2 });
}
