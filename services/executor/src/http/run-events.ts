import type { NodeEvent, RunProblem, RunResult } from "@tripline/contract/workflows";
import type { NodeProgress } from "@tripline/engine/run";
import { runProgress } from "../domain/run-progress.ts";

export interface RunEvents {
	observe(progress: NodeProgress): void;
	/** The last events: what the nodes came to, and the result. */
	result(result: RunResult): void;
	/** There is no result. */
	problem(problem: RunProblem): void;
	/** Made as it is read: a reader who is slow is told less, and one who has gone nothing. */
	readonly stream: ReadableStream<Uint8Array>;
}

/** Twenty times a second nodes in loops tell how far they are. */
const LOOP_MS = 50;
/** So that nothing on the way takes the connection for dead. */
const HEARTBEAT_MS = 10_000;
const HEARTBEAT = ": the run goes on\n\n";
const MOST_AT_ONCE = 100;

/** A run as server-sent events. */
export function runEvents(executionId: string): RunEvents {
	const progress = runProgress();
	const encoder = new TextEncoder();
	let opening: string | null = eventText("started", { execution_id: executionId });
	let ending: string | null = null;
	let isBeatDue = false;
	let isOver = false;
	let isUnread = false;
	let wake = () => {};
	let loops: ReturnType<typeof setTimeout> | undefined;
	const heartbeat = setInterval(() => {
		isBeatDue = true;
		wake();
	}, HEARTBEAT_MS);

	const stream = new ReadableStream<Uint8Array>(
		{
			async pull(controller) {
				let text = next();
				while (text === "" && !isOver) {
					await new Promise<void>((resolve) => {
						wake = resolve;
					});
					text = next();
				}
				if (isUnread) return;
				if (text !== "") controller.enqueue(encoder.encode(text));
				if (isOver && ending === null) controller.close();
			},
			cancel() {
				isUnread = true;
				stop();
			},
		},
		// What is read is the state at that time, not what was the state when something before it was read.
		{ highWaterMark: 0 },
	);

	return {
		stream,
		observe(told) {
			if (isOver) return;
			progress.observe(told);
			if (progress.isHolding) loops ??= setTimeout(releaseLoops, LOOP_MS);
			wake();
		},
		result(result) {
			progress.finish(result.nodes ?? []);
			end(eventText("result", result));
		},
		problem: (problem) => end(eventText("problem", problem)),
	};

	function next(): string {
		let text = opening ?? "";
		opening = null;
		let node: NodeEvent | null = null;
		for (let count = 0; count < MOST_AT_ONCE; count++) {
			node = progress.next();
			if (node === null) break;
			text += eventText("node", node);
		}
		if (node === null && ending !== null) {
			text += ending;
			ending = null;
		}
		if (text === "" && isBeatDue) text = HEARTBEAT;
		isBeatDue = false;
		return text;
	}

	function releaseLoops(): void {
		loops = undefined;
		progress.release();
		wake();
	}

	function end(text: string): void {
		if (isOver) return;
		ending = text;
		stop();
	}

	function stop(): void {
		isOver = true;
		clearInterval(heartbeat);
		clearTimeout(loops);
		wake();
	}
}

/** JSON has no line breaks, so that it is one line of data. */
const eventText = (event: string, data: object): string =>
	`event: ${event}\ndata: ${JSON.stringify(data)}\n\n`;
