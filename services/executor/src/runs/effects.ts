import type {
	Conversations,
	DescribedWorkflow,
	Effects,
	FileCall,
	Files,
	Knowledge,
	McpCalls,
	Question,
	RespondAnswer,
	RunDatabases,
	RunMail,
	State,
	TokenUse,
	WaitCall,
	WantedEvent,
	WorkflowCall,
} from "@tripline/components/effects";
import type { OutboundAnswer, OutboundCall } from "@tripline/components/outbound/call";
import { uuidv7 } from "@tripline/contract/ids";
import type { Json } from "@tripline/contract/json";
import type { ModelPrice, ModelPrices } from "@tripline/contract/model-prices";
import { ANONYMOUS } from "@tripline/contract/partner-keys";
import type { JsonObject } from "@tripline/contract/workflows";
import { run } from "@tripline/engine/run";
import type { Budget, RunTurns } from "@tripline/engine/run/options";
import type { Outcome } from "@tripline/engine/run/outcome";
import { TerminalError } from "@tripline/engine/terminal-error";
import { type Clock, toIsoTime } from "@tripline/platform/clock";
import type { Folders } from "@tripline/platform/folders";
import type { PdfReader } from "@tripline/platform/pdf";
import type { Sandbox } from "@tripline/platform/sandbox";
import type { Span } from "@tripline/platform/tracing";
import type { Turns } from "@tripline/platform/turns";
import { type StoreClient, StoreUnavailable } from "@tripline/store/client";
import { describeInputProblem } from "../domain/schema-problems.ts";
import type { Line } from "../durable/run.ts";
import { collectFileIds } from "../files/collect.ts";
import { FileRights, type RightsSource } from "../files/rights.ts";
import { createRunFiles, type RunFilesDeps } from "../files/run-files.ts";
import type { RunCapture } from "../kept/capture.ts";
import type { McpSessions } from "../mcp-servers/sessions.ts";
import { type DeliveredEvent, findWantedProblem } from "../waits/event-waits.ts";
import { buildAskPath, findQuestionProblem } from "../waits/question.ts";
import type { WaitingRun, Waits } from "../waits/waits.ts";
import { CalledRuns, type CalledRunsDeps } from "./called-runs.ts";
import { checkOutcome } from "./check-outcome.ts";
import { createConversations } from "./conversations.ts";
import { createKnowledge } from "./knowledge.ts";
import type { Outbound, RunOutbound } from "./outbound.ts";
import type { RunSpans } from "./run-spans.ts";
import type { Runnable } from "./runnable.ts";
import { sleep } from "./sleep.ts";
import { createState } from "./state.ts";

/** State that a run shares with the workflows it calls, except for what its rights to files come from. */
interface RunState extends RightsSource {
	readonly executionId: string;
	/** The name of the workflow, or of this called one. */
	readonly workflow: string;
	readonly eventDepth: number;
	/** The external event, schedule or call that led to it. */
	readonly rootId: string;
	readonly namespace: string | null;
	readonly deadline: number;
	readonly timeoutMs: number;
	readonly budget: Budget;
	/** Nesting depth of workflow calls. */
	readonly depth: number;
	/** Before the keys of the steps of a called workflow. Undefined: the run's id. */
	readonly stepPrefix?: string;
	/** The address by which the run was called. Undefined if no request started it. */
	readonly calledUrl?: string | undefined;
	/** Undefined if nobody needs to know before the run ends. */
	readonly onRespond?: ((answer: RespondAnswer) => void) | undefined;
	/** Called with what models have used. Undefined if nobody counts. */
	readonly onTokens?: ((used: TokenUse) => void) | undefined;
	/** The steps of the run, or of this called workflow. Undefined if the run is not durable. */
	readonly line?: Line | undefined;
	/** Undefined if nothing is kept of the run. */
	readonly capture?: RunCapture | undefined;
	/** Undefined for the run itself. */
	readonly calledRuns?: CalledRuns;
}

interface CalledInput {
	readonly name: string;
	readonly input: JsonObject;
	readonly line: Line | undefined;
	readonly span: Span | null;
}

interface RunningCall {
	readonly effects: RunEffects;
	readonly ended: Outcome | Promise<Outcome>;
	leaveRecord(outcome: Outcome): void;
}

/** A workflow that a node calls. */
interface CalledWorkflow {
	/** Absent if an earlier version was asked for. */
	readonly description?: string;
	readonly runnable: Runnable;
	readonly versionNumber?: number | undefined;
}

export interface RunEffectsDeps extends CalledRunsDeps {
	readonly store: StoreClient;
	readonly sandbox: Sandbox;
	readonly pdf: PdfReader;
	readonly outbound: Outbound;
	readonly mcp: McpSessions;
	readonly turns: Turns;
	readonly files: RunFilesDeps;
	readonly folders: Folders | null;
	readonly waits: Waits;
	readonly modelPrices: ModelPrices;
	/** Null: runs are not traced. */
	readonly spans: RunSpans | null;
	/** The service's address, if it is known without a request. */
	getPublicUrl(): string | undefined;
	/** The namespace's workflow of that name, or one of its versions; null if there is none. */
	findWorkflow(namespace: string, name: string, version?: number): Promise<CalledWorkflow | null>;
	/** The namespace's workflows with a tag, at most so many. */
	listTagged(namespace: string, tag: string, limit: number): Promise<DescribedWorkflow[]>;
	/** Returns the number of workflows that the event started. */
	emit(event: {
		namespace: string;
		type: string;
		data: Json;
		depth: number;
		rootId: string;
		files: readonly string[];
	}): Promise<number>;
}

const MAX_DEPTH = 8;
const LOOK_AGAIN_MS = 1_000;

/**
 * A wait outlives a store that is unavailable. The run must not leave its process before it knows what it was told: the
 * store may have noted that it took the answer, which then makes it due no more.
 */
export async function lookUntilReachable<T>(look: () => Promise<T>, signal: AbortSignal): Promise<T> {
	for (;;) {
		try {
			return await look();
		} catch (error) {
			if (!(error instanceof StoreUnavailable)) throw error;
			await sleep(LOOK_AGAIN_MS, signal);
		}
	}
}

/** Only time is waited for. */
const NOTHING = async (): Promise<null> => null;

/** The turns of one namespace's runs. */
class NamespaceTurns implements RunTurns {
	private readonly turns: Turns;
	private readonly namespace: string;

	constructor(turns: Turns, namespace: string) {
		this.turns = turns;
		this.namespace = namespace;
	}

	run(resume: () => void): void {
		void this.turns.run(this.namespace, resume);
	}

	later(resume: () => void): void {
		this.turns.later(this.namespace, resume);
	}
}

/** Created for every run, so it does no work until a component needs it. */
export class RunEffects implements Effects {
	readonly run: RunState;
	answer: RespondAnswer | null = null;
	readonly #deps: RunEffectsDeps;
	#outbound: RunOutbound | null = null;
	#rights: FileRights | null = null;
	#files: Files | null = null;
	#calledRuns: CalledRuns | null = null;

	constructor(deps: RunEffectsDeps, run: RunState) {
		this.#deps = deps;
		this.run = run;
	}

	get turns(): RunTurns {
		return new NamespaceTurns(this.#deps.turns, this.run.namespace ?? ANONYMOUS);
	}

	http(call: OutboundCall, signal: AbortSignal): Promise<OutboundAnswer> {
		return this.#getOutbound().http(call, signal);
	}

	credentialText(name: string, field?: string): string {
		return this.#getOutbound().credentialText(name, field);
	}

	get databases(): RunDatabases | null {
		return this.#getOutbound().databases;
	}

	get mail(): RunMail | null {
		return this.#getOutbound().mail;
	}

	buildStepKey(step: string): string {
		return `${this.run.stepPrefix ?? this.run.executionId}:${step}`;
	}

	get mcp(): McpCalls {
		const http: Effects["http"] = (call, signal) => this.http(call, signal);
		return {
			call: (server, tool, args, call) =>
				this.#deps.mcp.call(this.#requireNamespace(), server, tool, args, http, call),
		};
	}

	get sandbox(): Pick<Sandbox, "run"> {
		const owner = this.run.namespace ?? ANONYMOUS;
		return { run: (job, signal) => this.#deps.sandbox.run({ ...job, owner }, signal) };
	}

	get pdf(): Pick<PdfReader, "maxBytes" | "read"> {
		const owner = this.run.namespace ?? ANONYMOUS;
		const { pdf } = this.#deps;
		return { maxBytes: pdf.maxBytes, read: (job, signal) => pdf.read({ ...job, owner }, signal) };
	}

	get clock(): Clock {
		return this.#deps.clock;
	}

	get knowledge(): Knowledge {
		const { store, turns } = this.#deps;
		return createKnowledge(store, turns, this.#requireNamespace(), this.run);
	}

	get state(): State {
		const { store, turns } = this.#deps;
		return createState(store, turns, this.#requireNamespace(), this.run);
	}

	get conversations(): Conversations {
		const { store, turns } = this.#deps;
		return createConversations(store, turns, this.#requireNamespace(), this.run, this.run);
	}

	get files(): Files {
		this.#files ??= createRunFiles(this.#deps.files, {
			owner: this.run.namespace ?? ANONYMOUS,
			requireNamespace: () => this.#requireNamespace(),
			executionId: this.run.executionId,
			rights: this.rights,
			getBaseUrl: () => this.#getBaseUrl(),
		});
		return this.#files;
	}

	get folders(): Folders | null {
		// Anybody may have created a webhook without an owner.
		this.#requireNamespace();
		return this.#deps.folders;
	}

	get rights(): FileRights {
		this.#rights ??= this.#createRights();
		return this.#rights;
	}

	#createRights(): FileRights {
		const rights = new FileRights(this.run);
		const { line } = this.run;
		if (line === undefined) return rights;
		for (const id of line.files) rights.gain(id);
		rights.takeNews();
		line.takeFiles = () => rights.takeNews();
		return rights;
	}

	sleep(ms: number, signal: AbortSignal): Promise<void> {
		return sleep(ms, signal);
	}

	waitUntil(until: number, signal: AbortSignal): Promise<void> {
		const { line } = this.run;
		if (line === undefined) throw new TerminalError(this.#explainNoWait());
		return line.waitUntil(until, signal, NOTHING).then(() => {});
	}

	async ask(question: Question, until: number, call: WaitCall): Promise<JsonObject> {
		const { waits } = this.#deps;
		const { answer, by } = await this.#waitForEnd(until, call, async (run, line, name) => {
			const problem = findQuestionProblem(question);
			if (problem !== null) throw new TerminalError(problem);
			const base = this.#getBaseUrl();
			const asked = { ...question, workflow: this.run.workflow, node: call.node.id };
			const token = await line.run.deriveSecret(`question ${name}`);
			const id = await waits.open(run, token, asked, Math.ceil(until / 1000));
			return { id, url: `${base}${buildAskPath(run, token)}` };
		});
		if (answer === null) throw new TerminalError(`nobody has answered by ${toIsoTime(until)}`);
		call.log(`answered by ${by}`);
		return answer;
	}

	async waitForEvent(wanted: WantedEvent, until: number, call: WaitCall): Promise<JsonObject> {
		const { answer } = await this.#waitForEnd(until, call, async (run, _line, name) => {
			const problem = findWantedProblem(wanted);
			if (problem !== null) throw new TerminalError(problem);
			return { id: await this.#deps.waits.listen(run, name, wanted, Math.ceil(until / 1000)), url: null };
		});
		if (answer === null) throw new TerminalError(`no such event has come by ${toIsoTime(until)}`);
		const { event, files, isOwners } = answer as unknown as DeliveredEvent;
		if (event === null) throw new TerminalError("the event that it waited for has more than 64 KiB");
		for (const id of isOwners ? collectFileIds(event, call.meter) : files) this.rights.gain(id);
		return event;
	}

	/**
	 * Waits for what `open` stores, unless the node waits for it already. The run may leave its process meanwhile. What is
	 * stored but not recorded, because the process ended in between, must be found again by its name: it may be answered.
	 */
	async #waitForEnd(
		until: number,
		call: WaitCall,
		open: (
			run: WaitingRun,
			line: Line,
			name: string,
		) => Promise<{ readonly id: string; readonly url: string | null }>,
	) {
		const { line, executionId: run } = this.run;
		if (line === undefined) throw new TerminalError(this.#explainNoWait());
		const { waits } = this.#deps;
		const where = { owner_id: this.#requireNamespace(), run };
		const wait = { ...where, id: call.announced?.id ?? "" };
		if (wait.id === "") {
			const name = `${line.name}\n${call.attempt}:${call.step}`;
			const { id, url } = await lookUntilReachable(() => open(where, line, name), call.signal);
			wait.id = id;
			await call.announce({ id, known: { url, expires_at: toIsoTime(until) } });
		}
		try {
			const find = () => lookUntilReachable(() => waits.take(wait), call.signal);
			const ended = (await line.waitUntil(until, call.signal, find)) ?? (await waits.expire(wait));
			return ended ?? { answer: null, by: null };
		} catch (error) {
			// A run that only leaves its process still waits.
			if (call.signal.aborted && line.run.stopped === null) await waits.withdraw(wait);
			throw error;
		}
	}

	#explainNoWait(): string {
		this.#requireNamespace();
		return this.run.depth > 0
			? "a workflow that waits can be called only by a durable run: set options.durable in the workflow that was started"
			: "this run cannot wait for long, because it is not durable: tests of drafts are not, nor new runs past DURABLE_DAILY_ROWS";
	}

	async runWorkflow(name: string, input: JsonObject, call: WorkflowCall): Promise<Json> {
		if (this.run.depth === MAX_DEPTH)
			throw new TerminalError(`workflow calls are nested more than ${MAX_DEPTH} deep`);
		const { line } = this.run;
		return line === undefined
			? this.#runCalled(name, input, call)
			: line.run.callWorkflow(() => this.#runCalled(name, input, call));
	}

	getModelPrice(model: string): ModelPrice | null {
		return this.#deps.modelPrices.get(model) ?? null;
	}

	countTokens(used: TokenUse): void {
		this.run.onTokens?.(used);
	}

	async describeWorkflow(name: string): Promise<DescribedWorkflow | null> {
		const found = await this.#deps.findWorkflow(this.#requireNamespace(), name);
		if (found === null) return null;
		const { description = "", runnable } = found;
		return { name, description, input_schema: runnable.options.input_schema ?? null };
	}

	async listTaggedWorkflows(tag: string, limit: number): Promise<DescribedWorkflow[]> {
		// One more, because the workflow itself is left out.
		const found = await this.#deps.listTagged(this.#requireNamespace(), tag, limit + 1);
		return found.filter(({ name }) => name !== this.run.workflow).slice(0, limit);
	}

	async #runCalled(name: string, input: JsonObject, call: WorkflowCall): Promise<Json> {
		const { line: own } = this.run;
		// Each attempt of the node has its own steps.
		const line = await own?.run.openCall(own, call);
		return line === undefined || own === undefined
			? this.#runInLine(name, input, call, undefined)
			: own.during(line, () => this.#runInLine(name, input, call, line));
	}

	async #runInLine(
		name: string,
		input: JsonObject,
		call: WorkflowCall,
		line: Line | undefined,
	): Promise<Json> {
		const version = line?.start?.version_number;
		const found = await this.#deps.findWorkflow(this.#requireNamespace(), name, version);
		if (found === null) throw new TerminalError(describeMissing(name, version));
		const { spans } = this.#deps;
		return spans === null
			? this.#runToEnd(found, { name, input, line, span: null }, call)
			: spans.followCalled(name, line, (span) => this.#runToEnd(found, { name, input, line, span }, call));
	}

	async #runToEnd(found: CalledWorkflow, given: CalledInput, call: WorkflowCall): Promise<Json> {
		const { effects, ended, leaveRecord } = await this.#deps.turns.run(this.#requireNamespace(), () =>
			this.#runFound(found, given, call),
		);
		const outcome = await ended;
		const { line } = given;
		const { checkOutput } = found.runnable;
		const checked =
			checkOutput === null
				? outcome
				: await this.#deps.turns.run(this.#requireNamespace(), () => checkOutcome(outcome, checkOutput));
		// A run that is interrupted has not ended.
		if (line === undefined || line.run.stopped === null) leaveRecord(checked);
		if (!checked.success) throw new Error(checked.error);
		if (effects.#rights?.hasOwn)
			for (const id of effects.#rights.select(checked.data, call.meter)) this.rights.gain(id);
		return checked.data;
	}

	#runFound(
		{ runnable, versionNumber }: CalledWorkflow,
		{ name, input, line, span }: CalledInput,
		{ signal, step, attempt }: WorkflowCall,
	): RunningCall {
		signal.throwIfAborted();
		const { plan, checkInput, version, nodes } = runnable;
		const problem = checkInput === null ? null : describeInputProblem(checkInput(input));
		if (problem !== null) throw new TerminalError(problem);
		if ("error" in plan) throw new TerminalError(plan.error);
		const ownTimeout = plan.options.timeout_ms ?? this.run.timeoutMs;
		const ownDeadline = this.clock.now() + ownTimeout;
		const isShorter = ownDeadline < this.run.deadline;
		const deadline = isShorter ? ownDeadline : this.run.deadline;
		const stepPrefix = `${this.run.stepPrefix ?? this.run.executionId}:${encodeURIComponent(step.toWellFormed())}`;
		const namespace = this.#requireNamespace();
		const calledRuns = this.#getCalledRuns();
		const capture = this.#deps.kept.begin(namespace, plan.options.keep, input, { caller: this.run.capture });
		const effects = new RunEffects(this.#deps, {
			...this.run,
			workflow: name,
			deadline,
			depth: this.run.depth + 1,
			input,
			files: undefined,
			isOwners: false,
			onRespond: undefined,
			caller: this,
			line,
			stepPrefix,
			// Without data of its own its secrets may still appear in that of the run that calls it.
			capture: capture ?? this.run.capture,
			calledRuns,
		});
		const startedAt = line?.start?.started_at ?? this.clock.now();
		// A run that was interrupted before its called workflows had records continues without them.
		const id = line === undefined ? undefined : (line.start ?? { id: uuidv7(startedAt) }).id;
		if (line?.start === null) line.begin({ id, started_at: startedAt, version_number: versionNumber });
		const ended = run(plan, {
			input,
			context: plan.context,
			workflow: { name, version },
			execution: { id: this.run.executionId, trigger: "workflow", time: toIsoTime(startedAt) },
			budget: this.run.budget,
			deadline,
			timeoutMs: isShorter ? ownTimeout : this.run.timeoutMs,
			clock: this.clock,
			signal,
			credential: (credential, field) => effects.credentialText(credential, field),
			effects,
			stepPrefix,
			turns: this.turns,
			...(line !== undefined && { journal: line, startedAt }),
			...(capture !== undefined && { capture }),
			...(span !== null && { spans: this.#deps.spans?.followNodes(span, line) }),
		});
		const leaveRecord = (outcome: Outcome): void => {
			const record = calledRuns.end({
				...{ id, namespace, calledBy: this.run.executionId, workflow: name, versionNumber, version },
				...{ nodes, plan, startedAt, outcome, capture },
			});
			if (record !== null) this.run.capture?.addCalled({ step, attempt }, record);
		};
		return { effects, ended, leaveRecord };
	}

	/** Shared by the whole run. */
	#getCalledRuns(): CalledRuns {
		this.#calledRuns ??= this.run.calledRuns ?? new CalledRuns(this.#deps);
		return this.#calledRuns;
	}

	emitEvent(type: string, data: Json, { signal, meter }: FileCall): Promise<number> {
		const { eventDepth, rootId } = this.run;
		const namespace = this.#requireNamespace();
		const files = this.rights.select(data, meter);
		const event = { namespace, type, data, depth: eventDepth + 1, rootId, files };
		return this.#deps.turns.call(namespace, signal, () => this.#deps.emit(event));
	}

	respond(answer: RespondAnswer): void {
		this.answer = answer;
		this.run.onRespond?.(answer);
	}

	#getOutbound() {
		this.#outbound ??= this.#deps.outbound.forRun(this.run.namespace, this.run.capture);
		return this.#outbound;
	}

	/** A request's own address may be forged by its caller, so it is used only where nothing else is known. */
	#getBaseUrl(): string {
		const known = this.#deps.getPublicUrl();
		if (known !== undefined) return known;
		if (this.run.calledUrl !== undefined) return new URL(this.run.calledUrl).origin;
		throw new TerminalError("the address of this service is unknown: set BASE_URL");
	}

	#requireNamespace(): string {
		if (this.run.namespace !== null) return this.run.namespace;
		throw new TerminalError(
			"this run belongs to no namespace: create the webhook, or call it, with the header X-Service-API-Key",
		);
	}
}

const describeMissing = (name: string, version: number | undefined): string =>
	version === undefined
		? `there is no workflow ${JSON.stringify(name)}`
		: `the run cannot be resumed: there is no version ${version} of the workflow ${JSON.stringify(name)}`;
