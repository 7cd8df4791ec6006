import { fork } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";

/** Requests over keep-alive connections, each of which waits for an answer before it sends the next. */
export interface LoadJob {
	readonly port: number;
	readonly connections: number;
	readonly count: number;
	/** Whole HTTP requests, sent in turn. */
	readonly requests: readonly string[];
	/** The status of every answer; another ends the load. */
	readonly status: number;
	/** What stands in place of `NUMBER` in the first request that is sent, and one more in each that follows. */
	readonly firstNumber: number;
}

export interface LoadReport {
	readonly seconds: number;
	/** Latencies in milliseconds. */
	readonly p50: number;
	readonly p99: number;
}

/** Where a request gets a number of its own, in as many digits. */
export const NUMBER = "#NUMBER###";

export interface Load extends AsyncDisposable {
	run(job: LoadJob): Promise<LoadReport>;
}

/** The load generator in a process of its own, so that its time is not the server's. */
export function startLoad(): Load {
	const child = fork(fileURLToPath(import.meta.resolve("./load-generator.ts")));
	const killWithUs = () => child.kill("SIGKILL");
	process.on("exit", killWithUs);
	return {
		async run(job) {
			child.send(job);
			const [answer] = (await once(child, "message")) as [LoadReport | { readonly problem: string }];
			if ("problem" in answer) throw new Error(answer.problem);
			return answer;
		},
		async [Symbol.asyncDispose]() {
			process.off("exit", killWithUs);
			const ended = once(child, "exit");
			child.disconnect();
			await ended;
		},
	};
}
