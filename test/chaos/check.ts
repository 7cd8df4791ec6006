import type { AcceptedRun, Answer, History, OutsideCall, Read, Save } from "./history.ts";

export interface Violation {
	readonly rule: string;
	readonly detail: string;
}

/** Each says what must never happen, and finds where it did. */
const RULES: Readonly<Record<string, (history: History) => Iterable<string>>> = {
	"a plain run answers with its own input": findWrongEchoes,
	"nobody sees data of another tenant": findForeignData,
	"a saved workflow is seen by every later reader": findStaleReads,
	"a reader sees only what was saved": findInventedReads,
	"no later reader sees an older version": findBackwardReads,
	"an accepted run ends with success": findUnfinishedRuns,
	"an accepted run has made all of its calls": findMissingCalls,
	"an acknowledged event starts its run": findLostEvents,
	"one run for each key, event and occurrence": findDoubleRuns,
	"a completed step is not repeated": findRepeatedSteps,
	"a step has one key": findChangedKeys,
	"one of several answers is accepted": findDoubleAnswers,
	"a run goes on with the accepted answer": findWrongAnswers,
	"what was stored is there": findLostThings,
	"a call is refused only because of a fault": findRefusals,
	"a process ends only if it is ended": findExits,
};

export const RULE_NAMES: readonly string[] = Object.keys(RULES);

const STEPS = [1, 2, 3];

/** An empty list: nothing was violated. */
export function checkHistory(history: History): Violation[] {
	return Object.entries(RULES).flatMap(([rule, find]) =>
		[...find(history)].map((detail) => ({ rule, detail })),
	);
}

function* findWrongEchoes({ echoes }: History) {
	for (const { tenant, sent, got } of echoes) if (got !== sent) yield `${tenant} sent ${sent} and got ${got}`;
}

function* findForeignData({ foreign }: History) {
	for (const { tenant, owner, where, text } of foreign)
		yield `${tenant} saw data of ${owner} in ${where}: ${text}`;
}

function* findStaleReads({ saves, reads }: History) {
	for (const [name, { versions, seen }] of groupVersions(saves, reads)) {
		for (const read of seen) {
			const saved = max(
				versions.filter(({ answered }) => answered !== null && answered < read.sent).map(getMarker),
			);
			if (read.marker < saved)
				yield `${name}: ${renderRead(read)}, but ${saved} was acknowledged before that`;
		}
	}
}

function* findInventedReads({ saves, reads }: History) {
	for (const [name, { versions, seen }] of groupVersions(saves, reads)) {
		for (const read of seen) {
			const isKnown = versions.some(({ marker, sent }) => marker === read.marker && sent < read.answered);
			if (!isKnown) yield `${name}: ${renderRead(read)}, which nobody had saved`;
		}
	}
}

function* findBackwardReads({ saves, reads }: History) {
	for (const [name, { seen }] of groupVersions(saves, reads)) {
		const byAnswer = seen.toSorted((one, other) => one.answered - other.answered);
		let newest: Read | undefined;
		let next = 0;
		for (const read of seen.toSorted((one, other) => one.sent - other.sent)) {
			for (; (byAnswer[next]?.answered ?? Number.POSITIVE_INFINITY) < read.sent; next++) {
				const earlier = byAnswer[next] as Read;
				if (newest === undefined || earlier.marker > newest.marker) newest = earlier;
			}
			if (newest !== undefined && read.marker < newest.marker)
				yield `${name}: ${renderRead(read)} after ${renderRead(newest)}`;
		}
	}
}

function* findUnfinishedRuns({ accepted }: History) {
	for (const run of accepted) {
		if (run.end === null) yield `${renderRun(run)} has not ended: ${run.state ?? "never asked"}`;
		else if (run.end.status !== "success")
			yield `${renderRun(run)} ended as ${run.end.status}: ${run.end.error}`;
	}
}

function* findMissingCalls({ accepted, outside }: History) {
	const calls = Map.groupBy(outside, ({ execution }) => execution);
	for (const run of accepted) {
		const made = calls.get(run.execution) ?? [];
		if (run.kind === "steps") {
			const missing = STEPS.filter((step) => !made.some((call) => call.step === step));
			if (missing.length > 0) yield `${renderRun(run)}: step ${missing.join(", ")} was not called`;
		} else if (made.length === 0) yield `${renderRun(run)} called nobody`;
	}
}

function* findLostEvents({ events, outside }: History) {
	const arrived = new Set(
		outside.filter(({ purpose }) => purpose === "event").map(({ tenant, subject }) => `${tenant} ${subject}`),
	);
	for (const { tenant, id, isAcknowledged } of events)
		if (isAcknowledged && !arrived.has(`${tenant} ${id}`)) yield `${tenant}: event ${id}`;
}

function* findDoubleRuns({ accepted, outside }: History) {
	const called = outside.map((call) => ({ ...call, name: renderClaim(call) }));
	const told = accepted.map((run) => ({ ...run, name: `${run.tenant} ${run.subject}` }));
	for (const [name, runs] of Map.groupBy([...told, ...called], (each) => each.name)) {
		const executions = new Set(runs.map(({ execution }) => execution));
		if (executions.size > 1) yield `${name}: executions ${[...executions].join(", ")}`;
	}
}

function* findRepeatedSteps({ outside }: History) {
	for (const [execution, calls] of Map.groupBy(ofSteps(outside), (call) => call.execution)) {
		let last = 0;
		for (const { step, subject, at } of calls.toSorted((one, other) => one.at - other.at)) {
			if (step < last)
				yield `execution ${execution} (${subject}): step ${step} at ${at}, after step ${last} had been called`;
			last = Math.max(last, step);
		}
	}
}

function* findChangedKeys({ outside }: History) {
	const steps = Map.groupBy(ofSteps(outside), ({ execution, step }) => `${execution}, step ${step}`);
	for (const [name, calls] of steps) {
		const keys = new Set(calls.map(({ stepKey }) => stepKey));
		if (keys.size > 1 || keys.has("")) yield `execution ${name}: keys ${[...keys].join(", ")}`;
	}
	for (const [key, calls] of Map.groupBy(ofSteps(outside), ({ stepKey }) => stepKey)) {
		const places = new Set(calls.map(({ execution, step }) => `${execution}, step ${step}`));
		if (places.size > 1) yield `key ${key}: executions ${[...places].join("; ")}`;
	}
}

function* findDoubleAnswers({ answers }: History) {
	for (const [name, given] of groupAnswers(answers)) {
		const accepted = given.filter(({ outcome }) => outcome === "accepted");
		if (accepted.length > 1)
			yield `${name}: all of ${accepted.map(({ answer }) => answer).join(", ")} were accepted`;
		if (given.every(({ outcome }) => outcome === "refused")) yield `${name}: everybody was refused`;
	}
}

function* findWrongAnswers({ answers, outside }: History) {
	const calls = Map.groupBy(
		outside.filter(({ purpose }) => purpose === "answer"),
		({ tenant, subject }) => `${tenant} ${subject}`,
	);
	for (const [name, given] of groupAnswers(answers)) {
		const accepted = given.find(({ outcome }) => outcome === "accepted");
		const possible = accepted ? [accepted] : given.filter(({ outcome }) => outcome === "unknown");
		const used = new Set((calls.get(name) ?? []).map(({ value }) => value));
		if (used.size > 1) yield `${name} went on with each of ${[...used].join(", ")}`;
		for (const value of used)
			if (!possible.some(({ answer }) => answer === value))
				yield `${name} went on with ${value}, but the answers were ${given.map(renderAnswer).join(", ")}`;
	}
}

function* findLostThings({ kept }: History) {
	for (const { kind, tenant, name, expected, found } of kept)
		if (found !== expected)
			yield `${kind} ${name} of ${tenant}: ${found ?? "not found"} instead of ${expected}`;
}

function* findRefusals({ refusals, errors }: History) {
	for (const { tenant, call, status, text } of refusals) {
		const [id = ""] = text.split(" ");
		const error = errors.find((line) => id !== "" && line.includes(id)) ?? "";
		yield `${tenant}: ${call} was answered ${status} ${text} ${error}`;
	}
}

function* findExits({ exits }: History) {
	for (const exit of exits)
		yield `process ${exit.process} ended with ${exit.signal ?? `code ${exit.code}`}: ${exit.stderr}`;
}

interface Versions {
	readonly versions: readonly Save[];
	readonly seen: readonly Read[];
}

function groupVersions(saves: readonly Save[], reads: readonly Read[]): Map<string, Versions> {
	const name = (each: Save | Read) => `${each.tenant} ${each.workflow}`;
	const seen = Map.groupBy(reads, name);
	const versions = Map.groupBy(saves, name);
	return new Map(
		[...new Set([...versions.keys(), ...seen.keys()])].map((key) => [
			key,
			{ versions: versions.get(key) ?? [], seen: seen.get(key) ?? [] },
		]),
	);
}

const groupAnswers = (answers: readonly Answer[]) =>
	Map.groupBy(answers, ({ tenant, subject }) => `${tenant} ${subject}`);

const ofSteps = (calls: readonly OutsideCall[]) => calls.filter(({ purpose }) => purpose === "step");

/** What only one run may have: a key, an event, or an occurrence of a workflow. */
const renderClaim = ({ tenant, purpose, subject, value }: OutsideCall): string =>
	purpose === "occurrence" ? `${tenant} ${subject} at ${value}` : `${tenant} ${subject}`;

const getMarker = ({ marker }: Save): number => marker;
const max = (numbers: readonly number[]): number =>
	numbers.reduce((one, other) => Math.max(one, other), Number.NEGATIVE_INFINITY);
const renderRead = ({ by, marker, sent, answered }: Read): string =>
	`${by} saw ${marker} (from ${sent} to ${answered})`;
const renderRun = ({ kind, tenant, subject, execution }: AcceptedRun): string =>
	`${kind} run ${execution} of ${tenant} (${subject})`;
const renderAnswer = ({ answer, outcome }: Answer): string => `${answer} (${outcome})`;
