import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { checkHistory, RULE_NAMES } from "./check.ts";
import type { AcceptedRun, Answer, History, OutsideCall, Read, Save } from "./history.ts";
import { createHistory } from "./history.ts";

const save = (marker: number, sent: number, answered: number | null): Save => ({
	tenant: "ash",
	workflow: "w",
	marker,
	sent,
	answered,
});
const read = (marker: number, sent: number, answered: number, by: Read["by"] = "read"): Read => ({
	tenant: "ash",
	workflow: "w",
	by,
	marker,
	sent,
	answered,
});
const run = (changed: Partial<AcceptedRun> = {}): AcceptedRun => ({
	kind: "steps",
	tenant: "ash",
	subject: "steps-1",
	execution: "e1",
	end: { status: "success", error: "" },
	...changed,
});
const step = (number: number, at: number, changed: Partial<OutsideCall> = {}): OutsideCall => ({
	at,
	tenant: "ash",
	purpose: "step",
	subject: "steps-1",
	execution: "e1",
	step: number,
	stepKey: `key-${number}`,
	value: "",
	...changed,
});
const answer = (text: string, outcome: Answer["outcome"]): Answer => ({
	tenant: "ash",
	subject: "approval-1",
	answer: text,
	outcome,
});
const wentOnWith = (value: string, execution = "e2"): OutsideCall =>
	step(0, 9, { purpose: "answer", subject: "approval-1", execution, value });
const occurrence = (value: string, execution: string): OutsideCall =>
	step(0, 9, { purpose: "occurrence", subject: "clockwork", execution, value });
const event = (id: string, execution: string): OutsideCall =>
	step(0, 9, { purpose: "event", subject: id, execution });
const file = (found: string | null | undefined) =>
	({
		kind: "file",
		tenant: "ash",
		name: "f1",
		expected: "text",
		...(found !== undefined && { found }),
	}) as const;

const listBroken = (changed: Partial<History>): string[] => [
	...new Set(checkHistory({ ...createHistory(), ...changed }).map(({ rule }) => rule)),
];

/** For each rule, histories that violate it and nothing else. */
const VIOLATIONS: Readonly<Record<string, readonly Partial<History>[]>> = {
	"a plain run answers with its own input": [{ echoes: [{ tenant: "ash", sent: "1", got: "2" }] }],
	"nobody sees data of another tenant": [
		{ foreign: [{ tenant: "ash", owner: "birch", where: "GET /entries", text: "…" }] },
	],
	"a saved workflow is seen by every later reader": [
		{ saves: [save(1, 1, 2), save(2, 3, 4)], reads: [read(1, 5, 6)] },
		{ saves: [save(1, 1, 2), save(2, 3, 4)], reads: [read(1, 5, 6, "trigger")] },
		{ saves: [save(1, 1, 2), save(2, 3, null), save(3, 4, 5)], reads: [read(2, 6, 7)] },
	],
	"a reader sees only what was saved": [
		{ saves: [save(1, 1, 2)], reads: [read(2, 3, 4)] },
		{ saves: [save(1, 1, 2), save(2, 5, 6)], reads: [read(2, 3, 4)] },
		{ reads: [read(1, 1, 2)] },
	],
	"no later reader sees an older version": [
		{ saves: [save(1, 1, 2), save(2, 3, null)], reads: [read(2, 4, 5), read(1, 6, 7)] },
	],
	"an accepted run ends with success": [
		{ accepted: [run({ end: null })], outside: [step(1, 1), step(2, 2), step(3, 3)] },
		{
			accepted: [run({ end: { status: "failed", error: "why" } })],
			outside: [step(1, 1), step(2, 2), step(3, 3)],
		},
	],
	"an accepted run has made all of its calls": [
		{ accepted: [run()], outside: [step(1, 1), step(2, 2)] },
		{ accepted: [run()], outside: [step(1, 1), step(3, 2)] },
		{ accepted: [run({ kind: "approval", subject: "approval-1" })] },
		{ accepted: [run({ kind: "event", subject: "event-1" })] },
	],
	"an acknowledged event starts its run": [
		{ events: [{ tenant: "ash", id: "event-1", isAcknowledged: true }] },
		{
			events: [{ tenant: "ash", id: "event-1", isAcknowledged: true }],
			outside: [event("event-2", "e1")],
		},
	],
	"one run for each key, event and occurrence": [
		{ outside: [occurrence("12:00", "e1"), occurrence("12:00", "e2")] },
		{ outside: [event("event-1", "e1"), event("event-1", "e2")] },
		{
			accepted: [run({ execution: "e1" })],
			outside: [step(1, 1), step(2, 2), step(3, 3), step(1, 4, { execution: "e2", stepKey: "other" })],
		},
		{ outside: [wentOnWith("yes", "e2"), wentOnWith("yes", "e3")] },
	],
	"a completed step is not repeated": [
		{ outside: [step(1, 1), step(2, 2), step(1, 3)] },
		{ outside: [step(3, 3), step(1, 1), step(2, 2), step(2, 4)] },
	],
	"a step has one key": [
		{ outside: [step(1, 1), step(1, 2, { stepKey: "other" })] },
		{ outside: [step(1, 1, { stepKey: "" })] },
		{ outside: [step(1, 1), step(2, 2, { stepKey: "key-1" })] },
	],
	"one of several answers is accepted": [
		{ answers: [answer("yes", "accepted"), answer("no", "accepted")] },
		{ answers: [answer("yes", "refused"), answer("no", "refused")] },
	],
	"a run goes on with the accepted answer": [
		{ answers: [answer("yes", "accepted"), answer("no", "refused")], outside: [wentOnWith("no")] },
		{ answers: [answer("yes", "accepted"), answer("no", "unknown")], outside: [wentOnWith("no")] },
		{ answers: [answer("yes", "unknown"), answer("no", "refused")], outside: [wentOnWith("no")] },
		{
			answers: [answer("yes", "unknown"), answer("no", "unknown")],
			outside: [wentOnWith("yes"), wentOnWith("no")],
		},
	],
	"what was stored is there": [
		{ kept: [file(null)] },
		{ kept: [file("other")] },
		{ kept: [file(undefined)] },
	],
	"a call is refused only because of a fault": [
		{ refusals: [{ tenant: "ash", call: "GET /files/f1", status: 404, text: "" }] },
		{ refusals: [{ tenant: "ash", call: "GET /files/f1", status: 500, text: "" }] },
	],
	"a process ends only if it is ended": [{ exits: [{ process: "1", code: 1, signal: null, stderr: "…" }] }],
};

/** What faults may cause. */
const FINE: Readonly<Record<string, Partial<History>>> = {
	"nothing happened": {},
	"an echo": { echoes: [{ tenant: "ash", sent: "1", got: "1" }] },
	"a reader during a save sees either": {
		saves: [save(1, 1, 2), save(2, 3, 9)],
		reads: [read(1, 4, 7), read(2, 5, 6)],
	},
	"a save without an answer is seen, or not": {
		saves: [save(1, 1, 2), save(2, 3, null)],
		reads: [read(1, 4, 5), read(2, 6, 7)],
	},
	"a workflow of the same name of another tenant": {
		saves: [save(1, 1, 2), save(2, 3, 4), { ...save(1, 1, 2), tenant: "birch" }],
		reads: [{ ...read(1, 5, 6), tenant: "birch" }],
	},
	"a step in progress is called again with its key": {
		accepted: [run()],
		outside: [step(1, 1), step(1, 2), step(2, 3), step(3, 4), step(3, 5)],
	},
	"a key is acknowledged twice with the same run": {
		accepted: [run(), run()],
		outside: [step(1, 1), step(2, 2), step(3, 3)],
	},
	"occurrences of one workflow": { outside: [occurrence("12:00", "e1"), occurrence("12:01", "e2")] },
	"an event that nobody acknowledged": { events: [{ tenant: "ash", id: "event-1", isAcknowledged: false }] },
	"an acknowledged event": {
		events: [{ tenant: "ash", id: "event-1", isAcknowledged: true }],
		outside: [event("event-1", "e1")],
	},
	"one answer of two": {
		answers: [answer("yes", "accepted"), answer("no", "refused")],
		outside: [wentOnWith("yes"), wentOnWith("yes")],
	},
	"answers of which nobody knows": {
		answers: [answer("yes", "unknown"), answer("no", "unknown")],
		outside: [wentOnWith("no")],
	},
	"a file that is there": { kept: [file("text")] },
};

describe("the rules for what callers may see", () => {
	test("every rule has a history that violates it", () => {
		assert.deepEqual(Object.keys(VIOLATIONS), RULE_NAMES);
	});

	for (const [rule, histories] of Object.entries(VIOLATIONS)) {
		test(`finds where this does not hold: ${rule}`, () => {
			for (const history of histories) assert.deepEqual(listBroken(history), [rule]);
		});
	}

	for (const [name, history] of Object.entries(FINE)) {
		test(`allows: ${name}`, () => assert.deepEqual(listBroken(history), []));
	}
});
