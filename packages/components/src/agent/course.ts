import {
	APPROVAL,
	KEEP,
	MODEL,
	nameTagStep,
	nameTool,
	RECALL,
	REMEMBER,
	SUMMARY,
	WORKFLOWS,
} from "@tripline/contract/agent-steps";
import type { Json } from "@tripline/contract/json";
import type { JsonObject } from "@tripline/contract/workflows";
import type {
	Course,
	CourseProgress,
	NextStep,
	NextSteps,
	PlannedStep,
	StepResult,
} from "@tripline/engine/component";
import { compileInputCheck } from "@tripline/engine/input-schema";
import { toSchemaIssues } from "@tripline/engine/issues";
import type { Meter } from "@tripline/engine/meter";
import { parseWithMeter } from "@tripline/engine/parse-with-meter";
import { TerminalError } from "@tripline/engine/terminal-error";
import type { DescribedWorkflow, Effects } from "../effects.ts";
import { omitUndefined } from "../llm/chat.ts";
import { estimateTokens } from "../llm/estimate-tokens.ts";
import { roundCost } from "../llm/round-cost.ts";
import { hidePlaceholders } from "../outbound/placeholders.ts";
import { isObject } from "../schemas.ts";
import { CITING_HINT, hasMarks, removeMarks, Sources } from "./citations.ts";
import { describeParams, omitProperties } from "./describe-params.ts";
import { MAX_TOOLS } from "./describe-workflows.ts";
import {
	buildRecalledMessages,
	buildSummaryRequest,
	buildTurn,
	condense,
	cutSummary,
	type Recalled,
} from "./memory.ts";
import { remember } from "./memory-steps.ts";
import type { AgentParams } from "./params.ts";
import { findFreeName, listClosed, type ToolEntry } from "./tools.ts";

/** Calls in one answer of the model; it is told that the others were not made. */
const MAX_CALLS = 16;
/** Of a tool's result, in characters. */
const MAX_RESULT_LENGTH = 100_000;
/** Of all results together, in characters: every further call of the model sends them again. */
const MAX_RESULTS_LENGTH = 4_000_000;
/** Of facts that the model has remembered in one run. */
const MAX_FACTS = 10;
const MAX_ISSUES = 5;
/** Of the name of a call that `llm_chat` sends back. */
const MAX_NAME_LENGTH = 200;

interface Tool {
	readonly name: string;
	readonly description: string;
	/** The step that runs it. */
	readonly step: string;
	/** Of what the model passes. */
	readonly parameters: JsonObject;
	/** What the model cannot set. */
	readonly closed: ReadonlySet<string>;
	readonly isWorkflow: boolean;
	/** The id of the component. */
	readonly component: string;
	readonly isApproved: boolean;
	/** The parameters of the step. */
	build(given: JsonObject): JsonObject;
	/** What is wrong with those parameters, or null. */
	findProblem(params: JsonObject, meter: Meter): string | null;
}

/** A call that the model wants, with what it is told about it. */
interface WantedCall {
	readonly id: string;
	readonly tool: Tool | null;
	readonly params: JsonObject;
	answer: ToolAnswer | null;
}

interface ToolAnswer {
	readonly content: string;
	/** Without marks. */
	readonly kept?: string;
	readonly is_error?: true;
}

interface ModelOutput {
	readonly text: string;
	readonly json?: Json;
	readonly tool_calls?: readonly { id: string; name: string; arguments: Json; is_json: boolean }[];
	readonly message?: JsonObject;
	readonly usage: {
		readonly input_tokens: number | null;
		readonly output_tokens: number | null;
		readonly cost?: number;
	};
	readonly model: string;
}

type Phase =
	| "start"
	| "workflows"
	| "recall"
	| "summary"
	| "keep summary"
	| "model"
	| "approval"
	| "tools"
	| "keep turn";

/** The course of an agent: the model is asked, the tools that it calls are run, and so on until it answers. */
export class AgentCourse implements Course {
	private readonly params: AgentParams;
	private readonly planned: ReadonlyMap<string, PlannedStep<Effects>>;
	private readonly messages: JsonObject[];
	/** Those of this run, as they are kept. */
	private readonly turn: JsonObject[];
	private recalled: Recalled = { summary: null, turns: [], older: [] };
	private readonly sources = new Sources();
	private tools: ReadonlyMap<string, Tool> = new Map();
	private phase: Phase = "start";
	private calls: WantedCall[] = [];
	/** The calls that the steps in progress are for, in their order. */
	private awaited: WantedCall[] = [];
	private modelCalls = 0;
	private summaries = 0;
	private facts = 0;
	private output: Json = null;
	private toolCalls = 0;
	/** Of the results so far, in characters. */
	private resultsLength = 0;
	private inputTokens = 0;
	private outputTokens = 0;
	/** Null if it is not known. */
	private cost: number | null = 0;

	constructor(params: AgentParams, steps: readonly PlannedStep<Effects>[]) {
		this.params = params;
		this.planned = new Map(steps.map((step) => [step.name, step]));
		const { instructions, messages = [], prompt } = params;
		this.messages = instructions === undefined ? [] : [{ role: "system", content: instructions }];
		this.turn = [
			...(messages as readonly JsonObject[]),
			...(prompt === undefined ? [] : [{ role: "user", content: prompt }]),
		];
	}

	next(results: readonly StepResult[], progress: CourseProgress): NextSteps {
		switch (this.phase) {
			case "start":
				return this.start(progress);
			case "workflows":
				this.describeTools(readWorkflows(readOutput(results[0])));
				return this.recall(progress);
			case "recall":
				this.recalled = readOutput(results[0]) as unknown as Recalled;
				return this.summarise(progress);
			case "summary":
				return this.readSummary(results[0] as StepResult, progress);
			case "keep summary":
				return this.converse(progress);
			case "keep turn":
				readOutput(results[0]);
				return { output: this.output };
			case "model":
				return this.readReply(readModelOutput(readOutput(results[0]), this.params.model), progress);
			case "approval":
				this.readApprovals(results);
				return this.callTools(progress);
			case "tools":
				this.readResults(results, progress.meter);
				return this.answerModel(progress);
		}
	}

	private start(progress: CourseProgress): NextSteps {
		const names = this.params.tools.flatMap(({ workflow }) => workflow ?? []);
		const tags = this.params.tools.flatMap(({ tag }) => tag ?? []);
		if (names.length + tags.length === 0) {
			this.describeTools([]);
			return this.recall(progress);
		}
		this.phase = "workflows";
		return { steps: [{ name: WORKFLOWS, params: { names, ...(tags.length > 0 && { tags }) } }] };
	}

	private describeTools(workflows: readonly (FoundWorkflow | null)[]): void {
		const found = [...workflows];
		const tools = new Map<string, Tool>();
		for (const entry of this.params.tools) {
			if (entry.tag !== undefined) continue;
			const name = nameTool(entry);
			tools.set(
				name,
				entry.workflow === undefined
					? this.describeComponent(entry)
					: describeWorkflow(entry, requireFound(found.shift(), entry), {
							...{ name, step: name, isApproved: this.isApproved(name) },
						}),
			);
		}
		const { memory } = this.params;
		if (memory?.facts === true)
			tools.set(REMEMBER, this.describeComponent({ name: REMEMBER, params: { key: memory.key } }));
		this.addTagged(
			tools,
			found.filter((each) => each !== null),
		);
		this.tools = tools;
	}

	/** A workflow that is a tool already is not added again. */
	private addTagged(tools: Map<string, Tool>, found: readonly FoundWorkflow[]): void {
		const { tools: entries, approve } = this.params;
		const known = new Set(entries.map(({ workflow }) => workflow));
		const meant = new Set(tools.keys());
		for (const entry of entries) {
			if (entry.tag === undefined) continue;
			const tagged = found.filter(({ tag }) => tag === entry.tag);
			if (tagged.length === 0)
				throw new TerminalError(`no other workflow has the tag ${JSON.stringify(entry.tag)}`);
			for (const each of tagged) {
				if (known.has(each.name)) continue;
				known.add(each.name);
				// The number of a name depends on other workflows, so approval does not.
				const base = nameTagged(each.name);
				const isApproved = this.isApproved(base) || this.isApproved(each.name);
				const name = findFreeName(base, tools);
				meant.add(base).add(each.name);
				tools.set(name, describeWorkflow(entry, each, { name, step: nameTagStep(entry.tag), isApproved }));
			}
		}
		if (tools.size > MAX_TOOLS)
			throw new TerminalError(`the agent has more than ${MAX_TOOLS} tools: use a tag of fewer workflows`);
		const unknown = approve.find((name) => !meant.has(name));
		if (unknown !== undefined)
			throw new TerminalError(`approve names ${JSON.stringify(unknown)}, but the agent has no such tool`);
	}

	private recall(progress: CourseProgress): NextSteps {
		const { memory } = this.params;
		if (memory === undefined) return this.converse(progress);
		this.phase = "recall";
		const { key, max_tokens, summarise } = memory;
		return { steps: [{ name: RECALL, params: { key, max_tokens, summarise } }] };
	}

	private summarise(progress: CourseProgress): NextSteps {
		const { memory } = this.params;
		const { summary, older } = this.recalled;
		if (memory === undefined || summary === null || older.length === 0) return this.converse(progress);
		this.checkBudgets(progress);
		this.summaries += 1;
		this.phase = "summary";
		const messages = buildSummaryRequest(summary.text, older, memory.max_tokens);
		return { steps: [{ name: SUMMARY, params: omitUndefined({ ...this.getModelParams(), messages }) }] };
	}

	/** Without a summary the older turns are left out, and it is tried again in the next run. */
	private readSummary(result: StepResult, progress: CourseProgress): NextSteps {
		const { memory } = this.params;
		const { summary, turns, older } = this.recalled;
		if (memory === undefined || summary === null) return this.converse(progress);
		if ("error" in result) {
			progress.log(`older turns could not be summarised: ${result.error}`);
			return this.converse(progress);
		}
		const reply = result.output as unknown as ModelOutput;
		const sent = buildSummaryRequest(summary.text, older, memory.max_tokens);
		this.countUsage(reply, progress, "the summary of older turns", sent);
		const text = cutSummary(reply.text.trim(), memory.max_tokens);
		if (text === "") return this.converse(progress);
		const through = older.at(-1)?.id ?? null;
		this.recalled = { summary: { ...summary, text, through }, turns, older: [] };
		this.phase = "keep summary";
		return { steps: [{ name: KEEP, params: { key: memory.key, summary: { ...summary, text, through } } }] };
	}

	private converse(progress: CourseProgress): NextSteps {
		const { summary, turns } = this.recalled;
		// Some providers take no calls of tools where there are no tools.
		const fit =
			this.tools.size > 0 ? turns : turns.map((turn) => ({ ...turn, messages: condense(turn.messages) }));
		this.messages.push(...buildRecalledMessages(summary?.text ?? "", fit), ...this.turn);
		return this.askModel(progress);
	}

	private describeComponent(
		entry: Pick<ToolEntry, "name" | "component" | "description" | "params" | "workflow">,
	): Tool {
		const name = nameTool(entry);
		const { component } = this.planned.get(name) as PlannedStep<Effects>;
		const { params: fixed } = entry;
		const isApproved = this.isApproved(name);
		const closed = listClosed(component, fixed, isApproved);
		return {
			...{ name, step: name },
			description: this.describeMarks(
				component.id,
				entry.description ?? `${component.title}. ${component.description}`,
			),
			parameters: omitProperties(describeParams(component), closed),
			...{ closed, isApproved, isWorkflow: false, component: component.id },
			build: (given) => ({ ...given, ...fixed }),
			findProblem(params, meter) {
				const read = parseWithMeter(component.params, params, meter);
				if (read.success) return null;
				const issues = toSchemaIssues(component.params, params, read.error.issues);
				return issues
					.slice(0, MAX_ISSUES)
					.map(({ path, message }) => `${path.join(".")} ${message}`.trim())
					.join("; ");
			},
		};
	}

	private describeMarks(component: string, description: string): string {
		return this.params.citations && hasMarks(component) ? `${description} ${CITING_HINT}` : description;
	}

	private isApproved(name: string): boolean {
		return this.params.approve.includes(name);
	}

	private checkBudgets({ elapsedMs }: CourseProgress): void {
		const { max_tokens, max_cost, max_seconds } = this.params;
		const used = this.inputTokens + this.outputTokens;
		if (max_tokens !== undefined && used >= max_tokens)
			throw new TerminalError(`the agent has used ${used} tokens, and max_tokens is ${max_tokens}`);
		if (max_cost !== undefined && this.cost === null)
			throw new TerminalError(
				`max_cost is set, but the cost of ${JSON.stringify(this.params.model)} is not known: the operator sets prices in MODEL_PRICES`,
			);
		if (max_cost !== undefined && this.cost !== null && this.cost >= max_cost)
			throw new TerminalError(`the agent has cost ${this.cost}, and max_cost is ${max_cost}`);
		if (max_seconds !== undefined && elapsedMs >= max_seconds * 1000)
			throw new TerminalError(`the agent has not finished within ${max_seconds} seconds`);
	}

	/** Of each call of the model. */
	private getModelParams() {
		const { model, provider, base_url, extra, temperature, attempts, attempt_timeout_ms } = this.params;
		return { model, provider, base_url, extra, temperature, attempts, attempt_timeout_ms };
	}

	private askModel(progress: CourseProgress): NextSteps {
		const { max_steps, schema, schema_by } = this.params;
		this.checkBudgets(progress);
		this.modelCalls += 1;
		this.phase = "model";
		const tools = [...this.tools.values()].map(({ name, description, parameters }) => ({
			name,
			description,
			parameters,
		}));
		const isLast = this.modelCalls === max_steps;
		const params = {
			...this.getModelParams(),
			...(this.params.stream && { stream: true }),
			...(schema !== undefined && { schema, schema_by, repair: MAX_REPAIRS }),
			messages: this.messages,
			...(tools.length > 0 && { tools, ...(isLast && { tool_choice: "none" }) }),
		};
		return { steps: [{ name: MODEL, params: omitUndefined(params) }] };
	}

	private readReply(reply: ModelOutput, progress: CourseProgress): NextSteps {
		const { tool_calls = [], message, text } = reply;
		this.countUsage(reply, progress, `call ${this.modelCalls} of the model`);
		if (tool_calls.length === 0) return this.finish(reply);
		if (this.modelCalls === this.params.max_steps)
			throw new TerminalError(`the agent has not finished after ${this.modelCalls} steps`);
		this.say(message === undefined ? { role: "assistant", content: text } : nameCalls(message));
		this.calls = tool_calls.map((call, index) => this.readCall(call, index, progress.meter));
		const approved = this.calls.filter(({ tool, answer }) => answer === null && tool?.isApproved === true);
		if (approved.length === 0) return this.callTools(progress);
		this.phase = "approval";
		this.awaited = approved;
		return { steps: approved.map((call) => this.buildApproval(call)) };
	}

	/** Adds a message of this run. */
	private say(message: JsonObject, kept: JsonObject = message): void {
		this.messages.push(message);
		if (this.params.memory !== undefined) this.turn.push(kept);
	}

	private countUsage(
		{ usage, text, tool_calls = [] }: ModelOutput,
		{ log }: CourseProgress,
		what: string,
		sent = this.messages,
	): void {
		const estimate = (value: Json) => estimateTokens(JSON.stringify(value).length);
		const { cost } = usage;
		const input = usage.input_tokens ?? estimate(sent);
		const output = usage.output_tokens ?? estimate([text, tool_calls as unknown as Json]);
		this.inputTokens += input;
		this.outputTokens += output;
		this.cost = this.cost === null || cost === undefined ? null : roundCost(this.cost + cost);
		const costs = cost === undefined ? "" : `, cost ${cost}`;
		log(`${what}: ${input} tokens read, ${output} written${costs}`);
	}

	/** Checks everything about a call before anything runs. */
	private readCall(
		call: NonNullable<ModelOutput["tool_calls"]>[number],
		index: number,
		meter: Meter,
	): WantedCall {
		const tool = this.tools.get(call.name) ?? null;
		const refuse = (content: string): WantedCall => ({
			...{ id: call.id, tool, params: {} },
			answer: { content, is_error: true },
		});
		if (index >= MAX_CALLS) return refuse(`At most ${MAX_CALLS} tools can be called at once. Call it again.`);
		if (tool === null) return refuse(`There is no tool ${JSON.stringify(call.name.slice(0, 64))}.`);
		if (tool.component === remember.id && ++this.facts > MAX_FACTS)
			return refuse(`At most ${MAX_FACTS} facts can be remembered.`);
		if (!call.is_json || !isObject(call.arguments)) return refuse("The arguments are not a JSON object.");
		const given = call.arguments;
		const closed = Object.keys(given).find((name) => tool.closed.has(name));
		if (closed !== undefined) return refuse(`There is no parameter ${JSON.stringify(closed)}.`);
		const params = tool.build(given);
		const problem = tool.findProblem(params, meter);
		return problem === null
			? { id: call.id, tool, params, answer: null }
			: refuse(`The arguments are wrong: ${problem}`);
	}

	private buildApproval({ tool, params }: WantedCall): NextStep {
		const { name, isWorkflow } = tool as Tool;
		const given = isWorkflow ? (params.input as JsonObject) : params;
		return {
			name: APPROVAL,
			params: {
				question: `May the agent call **${name}**?`,
				show: { arguments: JSON.parse(hidePlaceholders(JSON.stringify(given))) },
				expires: this.params.approve_within,
			},
		};
	}

	private readApprovals(results: readonly StepResult[]): void {
		for (const [index, call] of this.awaited.entries()) {
			const result = results[index] as StepResult;
			if ("error" in result) call.answer = { content: `Not done: ${result.error}`, is_error: true };
			else if (!isObject(result.output) || result.output.approved !== true)
				call.answer = { content: describeRefusal(result.output), is_error: true };
		}
	}

	private callTools(progress: CourseProgress): NextSteps {
		this.awaited = this.calls.filter(({ answer }) => answer === null);
		if (this.awaited.length === 0) return this.answerModel(progress);
		this.toolCalls += this.awaited.length;
		this.phase = "tools";
		return { steps: this.awaited.map(({ tool, params }) => ({ name: (tool as Tool).step, params })) };
	}

	private readResults(results: readonly StepResult[], meter: Meter): void {
		for (const [index, call] of this.awaited.entries()) {
			const result = results[index] as StepResult;
			call.answer =
				"error" in result
					? { content: toText(result.error, meter), is_error: true }
					: this.describeResult(result.output, (call.tool as Tool).component, meter);
			this.resultsLength += call.answer.content.length;
		}
		if (this.resultsLength > MAX_RESULTS_LENGTH)
			throw new TerminalError(
				`the results of the tools have more than ${MAX_RESULTS_LENGTH} characters together: let them return less`,
			);
	}

	private describeResult(output: Json, component: string, meter: Meter): ToolAnswer {
		if (!this.params.citations || !hasMarks(component)) return { content: toText(output, meter) };
		return {
			content: toText(this.sources.mark(component, output), meter),
			...(this.params.memory !== undefined && { kept: toText(output, meter) }),
		};
	}

	private answerModel(progress: CourseProgress): NextSteps {
		for (const { id, answer } of this.calls) {
			const { kept, ...told } = answer as ToolAnswer;
			const message = { role: "tool", tool_call_id: id, ...told };
			this.say(message, kept === undefined ? message : { ...message, content: kept });
		}
		this.calls = [];
		return this.askModel(progress);
	}

	private finish(reply: ModelOutput): NextSteps {
		const { memory, citations } = this.params;
		this.output = this.buildOutput(reply);
		if (memory === undefined) return { output: this.output };
		const content = citations ? removeMarks(reply.text) : reply.text;
		const messages = buildTurn([...this.turn, { role: "assistant", content }]);
		this.phase = "keep turn";
		return { steps: [{ name: KEEP, params: { key: memory.key, messages } }] };
	}

	private buildOutput({ text, json, model }: ModelOutput): Json {
		const { schema, citations } = this.params;
		return {
			text,
			...(schema !== undefined && { json: json ?? null }),
			...(citations && { citations: this.sources.listCited(text).map((source) => ({ ...source })) }),
			usage: {
				input_tokens: this.inputTokens,
				output_tokens: this.outputTokens,
				total_tokens: this.inputTokens + this.outputTokens,
				...(this.cost !== null && { cost: this.cost }),
			},
			model_calls: this.modelCalls + this.summaries,
			tool_calls: this.toolCalls,
			model,
		};
	}
}

const MAX_REPAIRS = 2;

interface FoundWorkflow extends DescribedWorkflow {
	/** By which it was found; absent if the agent names it. */
	readonly tag?: string;
}

function requireFound(found: FoundWorkflow | null | undefined, entry: ToolEntry): FoundWorkflow {
	if (found) return found;
	throw new TerminalError(
		`the tool ${nameTool(entry)}: there is no workflow ${JSON.stringify(entry.workflow)}`,
	);
}

/** A name in another script has no letters that a model's tool may have. */
function nameTagged(workflow: string): string {
	const name = nameTool({ workflow });
	return /[a-zA-Z0-9]/.test(name) ? name : "workflow";
}

function describeWorkflow(
	entry: ToolEntry,
	{ name, description, input_schema }: DescribedWorkflow,
	tool: Pick<Tool, "name" | "step" | "isApproved">,
): Tool {
	const { params: fixed } = entry;
	const closed = new Set(Object.keys(fixed));
	const schema = input_schema ?? { type: "object" };
	const check = compileInputCheck(schema);
	return {
		...tool,
		description: entry.description ?? (description === "" ? name : description),
		parameters: omitProperties(schema, closed),
		...{ closed, isWorkflow: true, component: "workflow" },
		build: (given) => ({ name, input: { ...given, ...fixed } }),
		findProblem({ input }) {
			if (typeof check !== "function") return null;
			const issues = check(input as Json).map(({ path, message }) => `${path} ${message}`.trim());
			return issues.length === 0 ? null : issues.slice(0, MAX_ISSUES).join("; ");
		},
	};
}

/** A call whose name cannot be sent back would end the conversation. */
function nameCalls(message: JsonObject): JsonObject {
	const calls = message.tool_calls as readonly JsonObject[];
	const isFit = ({ name }: JsonObject) => name !== "" && String(name).length <= MAX_NAME_LENGTH;
	return calls.every(isFit)
		? message
		: { ...message, tool_calls: calls.map((call) => (isFit(call) ? call : { ...call, name: "unknown" })) };
}

function readOutput(result: StepResult | undefined): Json {
	if (result === undefined || "error" in result) throw new Error(result?.error ?? "the step has no result");
	return result.output;
}

/** What `llm_chat` gives; an output that is pinned may be anything, and may consist of a text alone. */
function readModelOutput(output: Json, model: string): ModelOutput {
	if (!isObject(output) || typeof output.text !== "string" || !isCallList(output.tool_calls ?? []))
		throw new TerminalError(
			"the pinned output of the model must be an object with text, as llm_chat gives it",
		);
	const {
		text,
		tool_calls,
		message = { role: "assistant", content: text, ...(tool_calls && { tool_calls }) },
	} = output;
	const usage = isObject(output.usage) ? output.usage : { input_tokens: null, output_tokens: null };
	return { model, ...output, message, usage } as unknown as ModelOutput;
}

const isCallList = (calls: Json): boolean =>
	Array.isArray(calls) &&
	calls.every((call) => isObject(call) && typeof call.id === "string" && typeof call.name === "string");

function readWorkflows(output: Json): readonly (FoundWorkflow | null)[] {
	if (!Array.isArray(output))
		throw new TerminalError(`the pinned output of ${WORKFLOWS} must be a list: unpin it`);
	return output as unknown as readonly (FoundWorkflow | null)[];
}

function describeRefusal(answer: Json): string {
	const comment = isObject(answer) && typeof answer.comment === "string" ? answer.comment : "";
	return comment === "" ? "A person refused this call." : `A person refused this call: ${comment}`;
}

function toText(output: Json, meter: Meter): string {
	const text = typeof output === "string" ? output : JSON.stringify(output);
	meter.spendOnText(text.length);
	return cut(hidePlaceholders(text));
}

const cut = (text: string): string =>
	text.length <= MAX_RESULT_LENGTH
		? text
		: `${text.slice(0, MAX_RESULT_LENGTH).toWellFormed()}\n(cut after ${MAX_RESULT_LENGTH} of ${text.length} characters)`;
