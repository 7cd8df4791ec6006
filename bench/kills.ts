import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { setTimeout as wait } from "node:timers/promises";
import { type Instance, NAMESPACE, openInstance } from "./executor/instance.ts";
import type { Section } from "./report.ts";
import { scratchFolder } from "./scratch.ts";

const KILLS = 1_000;
const CLIENTS = 8;
const STEPS = 6;
/** A process lives this long at most after its start, in milliseconds. */
const MAX_LIFE_MS = 600;
const TENANT = { "x-service-api-key": NAMESPACE };
const MAX_END_MS = 120_000;

/** Runs are accepted all the time while the process is killed again and again. */
export async function killsSuite(
	onProgress: (what: string) => void,
	{ count = KILLS }: { readonly count?: number },
): Promise<Section[]> {
	using folder = scratchFolder();
	await using outside = await openOutside();
	const accepted = new Set<string>();
	for (let kill = 1; kill <= count; kill++) {
		if (kill % 50 === 0) onProgress(`killed ${kill} of ${count} times, ${accepted.size} runs accepted`);
		await using instance = await openInstance(folder.path, outside.env);
		const life = { isOver: false };
		const path = kill === 1 ? await save(instance, outside.url) : NAMED_PATH;
		const clients = Array.from({ length: CLIENTS }, () => acceptUntil(life, instance, path, accepted));
		await wait(Math.random() * MAX_LIFE_MS);
		process.kill(instance.pid, "SIGKILL");
		life.isOver = true;
		await Promise.all(clients);
	}
	onProgress(`waiting for ${accepted.size} runs`);
	await using instance = await openInstance(folder.path, outside.env);
	const unfinished = await waitForAll(instance, accepted);
	const rows = [
		{ what: "runs accepted", unit: "runs", ours: accepted.size },
		{ what: "runs lost or stuck", unit: "runs", ours: unfinished.size, bar: NONE },
		{ what: "completed steps that were repeated", unit: "steps", ours: outside.countRepeated(), bar: NONE },
		{ what: "steps in progress that were repeated", unit: "steps", ours: outside.countTwice() },
	] as const;
	return [{ title: `${count} times kill -9 under load`, rows }];
}

const NONE = { on: "ours", most: 0 } as const;
const NAME = "killed";
const NAMED_PATH = `/webhooks/named/${NAMESPACE}/${NAME}/trigger`;

const save = (instance: Instance, url: string): Promise<string> => {
	const ids = Array.from({ length: STEPS }, (_, nth) => `step${nth}`);
	return instance.named(NAME, {
		id: NAME,
		nodes: ids.map((id, nth) => ({
			id,
			component: "http_request",
			params: { method: "GET", url: `${url}/{{execution.id}}/${nth}` },
		})),
		edges: ids.slice(1).map((to, nth) => ({ from: ids[nth], to, on: "ON_SUCCESS" })),
	});
};

async function acceptUntil(
	life: { readonly isOver: boolean },
	instance: Instance,
	path: string,
	accepted: Set<string>,
): Promise<void> {
	while (!life.isOver) {
		try {
			const response = await fetch(instance.publicUrl + path, {
				method: "POST",
				headers: { ...TENANT, prefer: "respond-async" },
				body: "{}",
			});
			const answer = (await response.json()) as { execution_id?: string };
			if (response.status === 202 && answer.execution_id !== undefined) accepted.add(answer.execution_id);
			else await wait(20);
		} catch {
			// The process was killed.
			await wait(5);
		}
	}
}

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

/** Another service, which knows how often each step of each run has called it. */
async function openOutside() {
	/** By run: the number of calls of each step. */
	const calls = new Map<string, number[]>();
	let repeated = 0;
	const server = createServer((request, response) => {
		const [, run = "", step = ""] = (request.url ?? "").split("/");
		const counts = calls.get(run) ?? [];
		calls.set(run, counts);
		const nth = Number(step);
		// A later step began, so this one was completed.
		if (counts[nth + 1] !== undefined) repeated += 1;
		counts[nth] = (counts[nth] ?? 0) + 1;
		response.setHeader("content-type", "application/json");
		response.end("{}");
	});
	server.listen(0, "127.0.0.1");
	await once(server, "listening");
	const { port } = server.address() as AddressInfo;
	return {
		url: `http://127.0.0.1:${port}`,
		env: { ALLOW_PRIVATE_HOSTS: `127.0.0.1:${port}`, LOG_LEVEL: "silent" },
		countRepeated: () => repeated,
		countTwice: () => [...calls.values()].flat().filter((count) => count > 1).length,
		[Symbol.asyncDispose]: async () => {
			server.closeAllConnections();
			server.close();
		},
	};
}
