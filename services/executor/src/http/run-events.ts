import type { NodeEvent, RunProblem, RunResult } from "@tripline/contract/workflows";
import type { NodeProgress } from "@tripline/engine/run";
import { runProgress } from "../domain/run-progress.ts";

export interface RunEvents {
	observe(progress: NodeProgress): void;
	/** Sends the final events: the nodes' final states and the result. */
	result(result: RunResult): void;
	/** Ends the stream without a result. */
	problem(problem: RunProblem): void;
	/** Produced on demand: a slow reader gets fewer events. */
	readonly stream: ReadableStream<Uint8Array>;
}

/** Nodes in loops report their progress twenty times a second. */
const LOOP_MS = 50;
/** Keeps proxies from closing an idle connection. */
const HEARTBEAT_MS = 10_000;
const HEARTBEAT = ": the run is still running\n\n";
const MOST_AT_ONCE = 100;

/** Turns a run into server-sent events. */
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
		// No read-ahead: a reader gets the state at the time of reading.
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

/** `JSON.stringify` emits no line breaks, so the data fits in one line. */
const eventText = (event: string, data: object): string =>
	`event: ${event}\ndata: ${JSON.stringify(data)}\n\n`;
