import type { NodeEvent, RunProblem, RunResult } from "@tripline/contract/workflows";
import type { NodeProgress, NodeText } from "@tripline/engine/run/options";
import { runProgress } from "../domain/run-progress.ts";
import { renderEvent } from "./text-feed.ts";

export interface RunEvents {
	observe(progress: NodeProgress): void;
	onText(piece: NodeText): void;
	/** Sends the final events: the nodes' final states and the result. */
	result(result: RunResult): void;
	/** Ends the stream of a run that continues by itself. */
	accepted(): void;
	/** Ends the stream without a result. */
	problem(problem: RunProblem): void;
	/** Produced on demand: a slow reader gets fewer events. */
	readonly stream: ReadableStream<Uint8Array>;
}

/** Nodes in loops report their progress twenty times a second. */
const LOOP_REPORT_MS = 50;
/** Keeps proxies from closing an idle connection. */
const HEARTBEAT_MS = 10_000;
const HEARTBEAT = ": the run is still running\n\n";
const MAX_EVENTS_PER_READ = 100;
/** Of a node's text that is not read yet. The whole text is in the result. */
const MAX_UNREAD_CHARACTERS = 1_000_000;

/** Turns a run into server-sent events. */
export function runEvents(executionId: string): RunEvents {
	const progress = runProgress();
	const encoder = new TextEncoder();
	/** What nodes have written and is not read yet, by their ids. */
	const written = new Map<string, string>();
	let opening: string | null = renderEvent("started", { execution_id: executionId });
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
				let text = renderNext();
				while (text === "" && !isOver) {
					await new Promise<void>((resolve) => {
						wake = resolve;
					});
					text = renderNext();
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
		observe(nodeProgress) {
			if (isOver) return;
			progress.observe(nodeProgress);
			if (progress.isHolding) loops ??= setTimeout(releaseLoops, LOOP_REPORT_MS);
			wake();
		},
		onText({ id, text }) {
			if (isOver) return;
			const unread = written.get(id) ?? "";
			if (unread.length < MAX_UNREAD_CHARACTERS) written.set(id, unread + text);
			wake();
		},
		result(result) {
			progress.finish(result.nodes ?? []);
			end(renderEvent("result", result));
		},
		accepted: () => end(renderEvent("accepted", { execution_id: executionId, status: "accepted" })),
		problem: (problem) => end(renderEvent("problem", problem)),
	};

	function renderNext(): string {
		let text = opening ?? "";
		opening = null;
		for (const [id, piece] of written) text += renderEvent("text", { id, text: piece });
		written.clear();
		let node: NodeEvent | null = null;
		for (let count = 0; count < MAX_EVENTS_PER_READ; count++) {
			node = progress.next();
			if (node === null) break;
			text += renderEvent("node", node);
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
