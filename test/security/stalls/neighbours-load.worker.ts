import { Agent, request } from "node:http";
import { parentPort, workerData } from "node:worker_threads";

/** A tenant that calls its workflow in a closed loop, in its own thread so that nothing else delays it. */

export interface Load {
	readonly url: string;
	readonly connections: number;
	readonly body: string;
}

export interface Loaded {
	/** Duration of each call in milliseconds. */
	readonly latencies: readonly number[];
	/** Number of answers by status. */
	readonly statuses: Readonly<Record<string, number>>;
}

const { url, connections, body } = workerData as Load;
const agent = new Agent({ keepAlive: true, maxSockets: connections });
let latencies: number[] = [];
let statuses: Record<string, number> = {};
let isOn = true;

const started = Promise.withResolvers<void>();

parentPort?.on("message", (message: "start" | "read" | "stop") => {
	if (message === "start") return started.resolve();
	parentPort?.postMessage({ latencies, statuses } satisfies Loaded);
	latencies = [];
	statuses = {};
	if (message === "stop") isOn = false;
});

await started.promise;
await Promise.all(
	Array.from({ length: connections }, async () => {
		while (isOn) {
			const started = performance.now();
			const status = await call();
			latencies.push(performance.now() - started);
			statuses[status] = (statuses[status] ?? 0) + 1;
		}
	}),
);
agent.destroy();
parentPort?.close();

function call(): Promise<string> {
	return new Promise((resolve) => {
		const headers = { "content-type": "application/json", "content-length": Buffer.byteLength(body) };
		const sent = request(url, { agent, method: "POST", headers }, (response) => {
			response.resume();
			response.on("end", () => resolve(String(response.statusCode)));
			response.on("error", () => resolve("broken"));
		});
		sent.on("error", () => resolve("refused"));
		sent.end(body);
	});
}
