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
	/** Replaces `NUMBER` in the first request; incremented in each that follows. */
	readonly firstNumber: number;
}

export interface LoadReport {
	readonly seconds: number;
	/** Latencies in milliseconds. */
	readonly p50: number;
	readonly p99: number;
}

/** The placeholder for a request's number, with as many digits. */
export const NUMBER = "#NUMBER###";

export interface Load extends AsyncDisposable {
	run(job: LoadJob): Promise<LoadReport>;
}

/** Runs the load generator in its own process, so that its CPU time does not count as the server's. */
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
