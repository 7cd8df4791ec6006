import { APPROVAL, KEEP, MODEL, RECALL, SUMMARY, WORKFLOWS } from "@tripline/contract/agent-steps";
import type { Json } from "@tripline/contract/json";
import type { KeptNode, KeptValue } from "../../../api/types.ts";

/** What an agent was told and did, at one place in the loops around it. */
export interface Conversation {
	readonly agent: string;
	/** Empty outside loops. */
	readonly place: string;
	/** The agent itself; null while it runs, and if nothing is kept of it. */
	readonly ended: KeptNode | null;
	/** What it was told at first, in order. */
	readonly asked: readonly Message[];
	readonly turns: readonly Turn[];
	readonly totals: Totals;
}

export interface Message {
	readonly role: string;
	readonly text: string;
}

/** An answer of the model, and the calls that it made. */
export interface Turn {
	readonly step: KeptNode;
	/** Empty if it said nothing, or if the answer is not kept. */
	readonly text: string;
	/** Whether the answer is missing, because it is too large. */
	readonly isCut: boolean;
	readonly usage: Usage | null;
	readonly calls: readonly ToolCall[];
}

export interface ToolCall {
	/** Unique in its turn. */
	readonly key: string;
	readonly name: string;
	/** Undefined if they are not kept. */
	readonly given: Json | undefined;
	/** That a person was asked, and has answered or not in time. */
	readonly approval: KeptNode | null;
	readonly step: KeptNode | null;
	/** What the model was told instead of a result, if the call was not made. */
	readonly refusal: string | null;
}

export interface Usage {
	/** Null if the provider does not say it. */
	readonly input: number | null;
	readonly output: number | null;
	readonly cost: number | null;
}

export interface Totals {
	readonly modelCalls: number;
	readonly toolCalls: number;
	/** Null if it is not known of every call. */
	readonly input: number | null;
	readonly output: number | null;
	readonly cost: number | null;
	/** In milliseconds; while it runs, of the completed steps. */
	readonly time: number;
}

/** The conversations of all agents of a run, in the order of their first steps. */
export function buildConversations(steps: readonly KeptNode[]): Conversation[] {
	const byAgent = new Map<string, { agent: string; place: string; steps: Placed[] }>();
	for (const step of steps) {
		const placed = readPlace(step);
		if (placed === null || step.status === "retried") continue;
		const { agent, around } = placed;
		const key = JSON.stringify([agent, around]);
		const group = byAgent.get(key) ?? { agent, place: around, steps: [] };
		group.steps.push(placed);
		byAgent.set(key, group);
	}
	return [...byAgent.values()].map((group) => {
		const ended = steps.find(
			({ id, place, status }) => id === group.agent && place === group.place && status !== "retried",
		);
		return buildConversation(group.agent, group.place, group.steps, ended ?? null);
	});
}

/** Whether the model, or a tool, has yet to answer. */
export const isUnfinished = ({ ended, turns }: Conversation): boolean => {
	const last = turns.at(-1);
	return ended === null && (last === undefined || last.calls.length > 0) && last?.step.status !== "failed";
};

export const isAnswered = ({ step, refusal, approval }: ToolCall): boolean =>
	step !== null || refusal !== null || (approval !== null && !isApproved(approval));

export const isApproved = ({ output }: KeptNode): boolean => readField(readJson(output), "approved") === true;

export const readComment = ({ output }: KeptNode): string =>
	toText(readField(readJson(output), "comment") ?? "");

/** A step of an agent, with what its place says. */
interface Placed {
	readonly step: KeptNode;
	readonly agent: string;
	readonly name: string;
	/** The place of the agent. */
	readonly around: string;
	readonly batch: number;
	readonly index: number;
}

/** The last two numbers of its place are those of the batch, and of the step in it. */
function readPlace(step: KeptNode): Placed | null {
	const slash = step.id.lastIndexOf("/");
	const numbers = step.place.split(".");
	if (slash === -1 || numbers.length < 2) return null;
	const [batch, index] = numbers.slice(-2).map(Number) as [number, number];
	const [agent, name] = [step.id.slice(0, slash), step.id.slice(slash + 1)];
	return { step, agent, name, around: numbers.slice(0, -2).join("."), batch, index };
}

/** Steps that are neither calls of tools nor questions about them. */
const OWN_STEPS: ReadonlySet<string> = new Set([MODEL, WORKFLOWS, RECALL, SUMMARY, KEEP]);

function buildConversation(
	agent: string,
	place: string,
	steps: readonly Placed[],
	ended: KeptNode | null,
): Conversation {
	const sorted = steps.toSorted((one, other) => one.batch - other.batch || one.index - other.index);
	const models = sorted.filter(({ name }) => name === MODEL);
	const turns = models.map(({ step, batch }, at) => {
		const next = models[at + 1];
		const own = sorted.filter(
			({ name, batch: each }) => !OWN_STEPS.has(name) && each > batch && each < (next?.batch ?? Infinity),
		);
		return buildTurn(step, own, next === undefined ? [] : listMessages(next.step));
	});
	return {
		agent,
		place,
		ended,
		asked: readAsked(models[0]?.step, ended),
		turns,
		totals: addUp(turns, sorted, ended),
	};
}

function buildTurn(step: KeptNode, own: readonly Placed[], told: readonly Json[]): Turn {
	const output = readJson(step.output);
	const approvals = own.filter(({ name }) => name === APPROVAL);
	const tools = own.filter(({ name }) => name !== APPROVAL);
	const wanted = readField(output, "tool_calls");
	const calls = Array.isArray(wanted)
		? matchCalls(wanted, approvals, tools, told)
		: // The answer is not kept: what was called is known from the tools.
			tools.map(({ name, step: called, batch, index }) => ({
				...{ key: `${batch}.${index}`, name, given: readJson(called.input), approval: null },
				...{ step: called, refusal: null },
			}));
	return {
		step,
		text: toText(readField(output, "text") ?? ""),
		isCut: step.output !== undefined && output === undefined,
		usage: readUsage(readField(output, "usage")),
		calls,
	};
}

/** Finds the steps of each call: those of the tool with its arguments or, if these are not kept, those of the tool. */
function matchCalls(
	wanted: readonly Json[],
	approvals: readonly Placed[],
	tools: readonly Placed[],
	told: readonly Json[],
): ToolCall[] {
	const left = { approvals: [...approvals], tools: [...tools] };
	const take = (from: Placed[], isFit: (placed: Placed) => boolean): KeptNode | null => {
		const at = from.findIndex(isFit);
		return at === -1 ? null : (from.splice(at, 1)[0] as Placed).step;
	};
	const read = wanted.map((call, at) => ({
		key: String(at),
		id: readField(call, "id"),
		name: toText(readField(call, "name") ?? ""),
		given: readField(call, "arguments"),
	}));
	const calls = read.map((call) => ({
		...call,
		approval: take(
			left.approvals,
			({ step }) =>
				includes(readField(readField(readJson(step.input), "show"), "arguments"), call.given) &&
				asksFor(step, call.name),
		),
		step: take(left.tools, ({ name, step }) => {
			const params = readJson(step.input);
			return (
				name === call.name &&
				(includes(params, call.given) || includes(readField(params, "input"), call.given))
			);
		}),
	}));
	return calls.map(({ id, ...call }) => {
		const approval = call.approval ?? take(left.approvals, ({ step }) => asksFor(step, call.name));
		const isMade = approval === null || isApproved(approval);
		const step = call.step ?? (isMade ? take(left.tools, ({ name }) => name === call.name) : null);
		const answer =
			step !== null ? undefined : told.find((message) => readField(message, "tool_call_id") === id);
		const refusal = answer === undefined ? null : toText(readField(answer, "content") ?? "");
		return { ...call, approval, step, refusal };
	});
}

const asksFor = ({ input }: KeptNode, tool: string): boolean =>
	toText(readField(readJson(input), "question") ?? "").includes(`**${tool}**`);

/** Whether the parameters have everything that was given. */
function includes(params: Json | undefined, given: Json | undefined): boolean {
	if (!isObject(params) || !isObject(given)) return false;
	return Object.entries(given).every(
		([name, value]) => JSON.stringify(params[name]) === JSON.stringify(value),
	);
}

/** From the agent's parameters, or else from what its model was told first. */
function readAsked(first: KeptNode | undefined, ended: KeptNode | null): Message[] {
	const messages = first === undefined ? [] : listMessages(first);
	if (messages.length > 0) return messages.map(readMessage);
	const params = readJson(ended?.input);
	const [instructions, prompt] = [readField(params, "instructions"), readField(params, "prompt")];
	const earlier = readField(params, "messages");
	return [
		...(instructions === undefined ? [] : [{ role: SYSTEM, text: toText(instructions) }]),
		...(Array.isArray(earlier) ? earlier.map(readMessage) : []),
		...(prompt === undefined ? [] : [{ role: "user", text: toText(prompt) }]),
	];
}

export const SYSTEM = "system";

function listMessages({ input }: KeptNode): readonly Json[] {
	const messages = readField(readJson(input), "messages");
	return Array.isArray(messages) ? messages : [];
}

function readMessage(message: Json): Message {
	const content = readField(message, "content") ?? "";
	const parts = Array.isArray(content) ? content : [content];
	const texts = parts.map((part) => toText(readField(part, "text") ?? part));
	return { role: toText(readField(message, "role") ?? ""), text: texts.join("\n\n") };
}

function addUp(turns: readonly Turn[], steps: readonly Placed[], ended: KeptNode | null): Totals {
	const output = readJson(ended?.output);
	const whole = readUsage(readField(output, "usage"));
	const sum = (name: keyof Usage) =>
		turns.reduce<number | null>((total, { usage }) => {
			const value = usage?.[name] ?? null;
			return total === null || value === null ? null : total + value;
		}, 0);
	const usage = whole ?? { input: sum("input"), output: sum("output"), cost: sum("cost") };
	const tools = steps.filter(({ name }) => !OWN_STEPS.has(name) && name !== APPROVAL);
	const time = ended?.duration_ms ?? steps.reduce((total, { step }) => total + (step.duration_ms ?? 0), 0);
	return { modelCalls: turns.length, toolCalls: tools.length, ...usage, time };
}

function readUsage(usage: Json | undefined): Usage | null {
	if (!isObject(usage)) return null;
	const read = (name: string) => {
		const value = usage[name];
		return typeof value === "number" ? value : null;
	};
	return { input: read("input_tokens"), output: read("output_tokens"), cost: read("cost") };
}

/** Undefined if only a part of the value is kept. */
export const readJson = (value: KeptValue | undefined): Json | undefined =>
	value === undefined || "bytes" in value ? undefined : value.json;

export const readField = (value: Json | undefined, name: string): Json | undefined =>
	isObject(value) && Object.hasOwn(value, name) ? value[name] : undefined;

export const toText = (value: Json): string =>
	typeof value === "string" ? value : JSON.stringify(value, null, 2);

const isObject = (value: Json | undefined): value is { [name: string]: Json } =>
	typeof value === "object" && value !== null && !Array.isArray(value);
