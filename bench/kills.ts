import { randomUUID } from "node:crypto";
import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { setTimeout as wait } from "node:timers/promises";
import { type Instance, NAMESPACE, openInstance } from "./executor/instance.ts";
import type { Row, Section } from "./report.ts";
import { scratchFolder } from "./scratch.ts";

const KILLS = 1_000;
const WAITING_KILLS = 200;
const CLIENTS = 8;
const STEPS = 6;
const MAX_LIFE_MS = 600;
const TENANT = { "x-service-api-key": NAMESPACE };
const MAX_END_MS = 120_000;
const MAX_TOLD = 3;

interface Given {
	readonly count?: number;
}

/** Runs are accepted all the time while the process is killed again and again. */
export const killsSuite = (onProgress: (what: string) => void, { count = KILLS }: Given) =>
	killAgainAndAgain(onProgress, {
		title: `${count} times kill -9 under load`,
		...{ count, maxLifeMs: MAX_LIFE_MS, clients: CLIENTS, pauseMs: 0, build: buildSteps },
	});

/** The same with runs that leave their process, and come back at a time, with an answer and with an event. */
export const waitingKillsSuite = (onProgress: (what: string) => void, { count = WAITING_KILLS }: Given) =>
	killAgainAndAgain(onProgress, {
		title: `${count} times kill -9 while runs park, are answered, and wake`,
		...{ count, maxLifeMs: 1_500, clients: 4, pauseMs: 20, build: buildWaiting, talks: true },
	});

interface Killing {
	readonly title: string;
	readonly count: number;
	/** A process lives this long at most after its start. */
	readonly maxLifeMs: number;
	readonly clients: number;
	/** Between two calls of a client. */
	readonly pauseMs: number;
	build(url: string): Pick<Graph, "nodes" | "edges">;
	/** Whether somebody answers questions and sends events. */
	readonly talks?: boolean;
}

/** What the service has acknowledged, by run. */
interface Said {
	readonly answers: Map<string, string>;
	readonly events: Map<string, string>;
}

interface Graph {
	readonly id: string;
	readonly nodes: readonly object[];
	readonly edges: readonly object[];
}

async function killAgainAndAgain(onProgress: (what: string) => void, killing: Killing): Promise<Section[]> {
	const { title, count, talks = false } = killing;
	using folder = scratchFolder();
	await using outside = await openOutside();
	const accepted = new Set<string>();
	const said: Said = { answers: new Map(), events: new Map() };
	for (let kill = 1; kill <= count; kill++) {
		if (kill % 50 === 0) onProgress(`killed ${kill} of ${count} times, ${accepted.size} runs accepted`);
		await using instance = await openInstance(folder.path, outside.env);
		const life = { isOver: false };
		if (kill === 1) await instance.named(NAME, { id: NAME, ...killing.build(outside.url) });
		const clients = Array.from({ length: killing.clients }, () =>
			acceptUntil(life, instance, killing.pauseMs, accepted),
		);
		if (talks) clients.push(talkUntil(life, instance, said, outside));
		await wait(Math.random() * killing.maxLifeMs);
		process.kill(instance.pid, "SIGKILL");
		life.isOver = true;
		await Promise.all(clients);
		outside.countKill();
	}
	onProgress(`waiting for ${accepted.size} runs`);
	await using instance = await openInstance(folder.path, outside.env);
	const life = { isOver: false };
	const talking = talks ? talkUntil(life, instance, said, outside) : null;
	const unfinished = await waitForAll(instance, accepted);
	life.isOver = true;
	await talking;
	for (const id of [...unfinished].slice(0, MAX_TOLD)) onProgress(await describeRun(instance, id));
	// Records are sent in batches.
	await wait(1_000);
	const wrong = outside.findWrong(accepted);
	const rows = [
		{ what: "runs accepted", unit: "runs", ours: accepted.size },
		{ what: "runs lost or stuck", unit: "runs", ours: unfinished.size, bar: NONE },
		{ what: "runs that ended without all their steps", unit: "runs", ours: wrong.incomplete, bar: NONE },
		{ what: "completed steps that were repeated", unit: "steps", ours: wrong.repeated, bar: NONE },
		{ what: "steps repeated without a kill", unit: "steps", ours: wrong.causeless, bar: NONE },
		{ what: "steps repeated with another key", unit: "steps", ours: wrong.otherKey, bar: NONE },
		{ what: "steps that began before their wait was over", unit: "steps", ours: wrong.early, bar: NONE },
		...(talks ? describeSaid(said, outside) : []),
		{ what: "steps in progress that were repeated", unit: "steps", ours: wrong.inProgress },
		{ what: "runs that left no record", unit: "runs", ours: countUnrecorded(folder.path, accepted) },
	] as const;
	return [{ title, rows }];
}

const describeSaid = ({ answers, events }: Said, { countLost }: Outside): Row[] => [
	{ what: "answers and events acknowledged", unit: "runs", ours: answers.size + events.size },
	{ what: "acknowledged answers lost", unit: "runs", ours: countLost(2, answers), bar: NONE },
	{ what: "acknowledged events lost", unit: "runs", ours: countLost(3, events), bar: NONE },
];

const NONE = { on: "ours", most: 0 } as const;
const NAME = "killed";
const NAMED_PATH = `/webhooks/named/${NAMESPACE}/${NAME}/trigger`;

const buildSteps = (url: string) => {
	const ids = Array.from({ length: STEPS }, (_, nth) => `step${nth}`);
	return {
		nodes: ids.map((id, nth) => buildCall(id, `${url}/{{execution.id}}/${nth}`)),
		edges: ids.slice(1).map((to, nth) => ({ from: ids[nth], to, on: "ON_SUCCESS" })),
	};
};

const buildWaiting = (url: string) => ({
	nodes: [
		buildCall("before", `${url}/{{execution.id}}/0`),
		{ id: "pause", component: "wait", params: { for: "{{input.seconds}} seconds" } },
		buildCall("after", `${url}/{{execution.id}}/1/{{input.seconds}}`),
		{ id: "asked", component: "ask", params: { question: "Which word?", fields: WORD } },
		buildCall("answered", `${url}/{{execution.id}}/2/0/{{asked.word}}`),
		{ id: "go", component: "wait_for", params: { event: "go", where: "item.data.run == execution.id" } },
		buildCall("gone", `${url}/{{execution.id}}/3/0/{{go.data.word}}`),
	],
	edges: ["before", "pause", "after", "asked", "answered", "go"].map((from, nth, ids) => ({
		...{ from, to: ids[nth + 1] ?? "gone", on: "ON_SUCCESS" },
	})),
});

const WORD = { type: "object", properties: { word: { type: "string" } }, required: ["word"] };

const buildCall = (id: string, url: string) => ({
	id,
	component: "http_request",
	params: { method: "GET", url, headers: { "idempotency-key": "{{execution.step_key}}" } },
});

async function acceptUntil(
	life: { readonly isOver: boolean },
	instance: Instance,
	pauseMs: number,
	accepted: Set<string>,
): Promise<void> {
	while (!life.isOver) {
		try {
			const response = await fetch(instance.publicUrl + NAMED_PATH, {
				method: "POST",
				headers: { ...TENANT, prefer: "respond-async" },
				body: JSON.stringify({ seconds: 2 + Math.floor(Math.random() * 3) }),
			});
			const answer = (await response.json()) as { execution_id?: string };
			if (response.status === 202 && answer.execution_id !== undefined) accepted.add(answer.execution_id);
			else await wait(20);
			if (pauseMs > 0) await wait(pauseMs);
		} catch {
			// The process was killed.
			await wait(5);
		}
	}
}

/** Answers the questions of the runs, and sends the events that they wait for afterwards. */
async function talkUntil(
	life: { readonly isOver: boolean },
	instance: Instance,
	said: Said,
	outside: Outside,
): Promise<void> {
	while (!life.isOver) {
		try {
			const response = await fetch(`${instance.publicUrl}/questions`, { headers: TENANT });
			const { questions } = (await response.json()) as QuestionList;
			for (const { execution_id: run, id } of questions) {
				const word = randomUUID();
				const answered = await post(instance, `/questions/${run}/${id}/answer`, { answer: { word } });
				if (answered.status === 200) said.answers.set(run, word);
			}
			for (const run of outside.listAfter(2)) {
				if (said.events.has(run)) continue;
				const word = randomUUID();
				const raised = await post(instance, "/events", { type: "go", data: { run, word } });
				if (((await raised.json()) as { woken?: number }).woken === 1) said.events.set(run, word);
			}
			await wait(50);
		} catch {
			// The process was killed.
			await wait(20);
		}
	}
}

interface QuestionList {
	readonly questions: readonly { readonly execution_id: string; readonly id: string }[];
}

const post = (instance: Instance, path: string, body: object): Promise<Response> =>
	fetch(instance.publicUrl + path, { method: "POST", headers: TENANT, body: JSON.stringify(body) });

/** Returns the runs that have not ended with success in time. */
async function waitForAll(instance: Instance, accepted: ReadonlySet<string>): Promise<Set<string>> {
	const unfinished = new Set(accepted);
	const until = Date.now() + MAX_END_MS;
	while (unfinished.size > 0 && Date.now() < until) {
		for (const id of unfinished) {
			const response = await fetch(`${instance.publicUrl}/executions/${id}`, { headers: TENANT });
			const { status } = (await response.json()) as { status?: string };
			if (status === "success") unfinished.delete(id);
		}
		await wait(500);
	}
	return unfinished;
}

async function describeRun(instance: Instance, id: string): Promise<string> {
	const response = await fetch(`${instance.publicUrl}/executions/${id}`, { headers: TENANT });
	return `has not ended with success: ${await response.text()}`;
}

/** Records are written after the run has ended, so that a kill may lose them. */
function countUnrecorded(folder: string, accepted: ReadonlySet<string>): number {
	using database = new DatabaseSync(join(folder, "store.db"), { readOnly: true });
	const find = database.prepare("select 1 from entries where entry_type = 'execution_log' and id = ?1");
	return [...accepted].filter((run) => find.get(run) === undefined).length;
}

interface OutsideCall {
	readonly key: string;
	readonly time: number;
	/** How many processes were killed before. */
	readonly kills: number;
	/** What was answered, or sent with an event. */
	readonly word: string;
}

type Outside = Awaited<ReturnType<typeof openOutside>>;

/** Another service, which knows the calls of each step of each run. */
async function openOutside() {
	/** By run, the calls of each step. */
	const steps = new Map<string, OutsideCall[][]>();
	let [kills, repeated, otherKey, causeless, early] = [0, 0, 0, 0, 0];
	let most = 0;
	const server = createServer((request, response) => {
		const [, run = "", step = "", seconds = "0", word = ""] = (request.url ?? "").split("/");
		const nth = Number(step);
		const known = steps.get(run) ?? [];
		steps.set(run, known);
		const before = known[nth] ?? [];
		const call = { key: String(request.headers["idempotency-key"]), time: Date.now(), kills, word };
		// A later step began, so this one was completed.
		if (known[nth + 1] !== undefined) repeated += 1;
		if (before.some(({ key }) => key !== call.key)) otherKey += 1;
		if (before.some((each) => each.kills === kills)) causeless += 1;
		const last = known[nth - 1]?.at(-1)?.time ?? 0;
		if (call.time - last < Number(seconds) * 1000) early += 1;
		known[nth] = [...before, call];
		most = Math.max(most, nth + 1);
		response.setHeader("content-type", "application/json");
		response.end("{}");
	});
	server.listen(0, "127.0.0.1");
	await once(server, "listening");
	const { port } = server.address() as AddressInfo;
	return {
		url: `http://127.0.0.1:${port}`,
		env: { ALLOW_PRIVATE_HOSTS: `127.0.0.1:${port}`, LOG_LEVEL: "silent" },
		countKill() {
			kills += 1;
		},
		/** Runs whose last step so far is this one. */
		listAfter: (step: number): string[] =>
			[...steps].flatMap(([run, calls]) => (calls.length === step + 1 ? [run] : [])),
		/** Runs that went on without the word that was acknowledged for them. */
		countLost: (step: number, words: ReadonlyMap<string, string>): number =>
			[...words].filter(([run, word]) => steps.get(run)?.[step]?.some((call) => call.word !== word) ?? true)
				.length,
		findWrong(accepted: ReadonlySet<string>) {
			const incomplete = [...accepted].filter((run) => steps.get(run)?.length !== most).length;
			const inProgress = [...steps.values()].flat().filter((calls) => calls.length > 1).length;
			return { incomplete, inProgress, repeated, otherKey, causeless, early };
		},
		[Symbol.asyncDispose]: async () => {
			server.closeAllConnections();
			server.close();
		},
	};
}
