import type { Incoming } from "@tripline/web/http-message";

export interface TextFeed {
	/** Adds a piece of the text. */
	write(text: string): void;
	/** Ends the stream with these events. */
	end(events: string): void;
	/** Produced on demand: pieces that a slow reader has not read become one. */
	readonly stream: ReadableStream<Uint8Array>;
}

/** Keeps proxies from closing an idle connection. */
const HEARTBEAT_MS = 10_000;
const HEARTBEAT = ": still writing\n\n";
/** Of text that is not read yet. */
const MAX_UNREAD_CHARACTERS = 1_000_000;

/** A text that is being written, as server-sent events. */
export function textFeed(options: {
	/** The first events. */
	readonly opening: string;
	/** The event of a piece. */
	render(text: string): string;
	/** The reader went away before the end. */
	onCancel(): void;
}): TextFeed {
	const encoder = new TextEncoder();
	let { opening } = options;
	let unread = "";
	let ending: string | null = null;
	let isBeatDue = false;
	let isCancelled = false;
	let wake = () => {};
	let heartbeat: ReturnType<typeof setInterval> | undefined;

	const stream = new ReadableStream<Uint8Array>(
		{
			async pull(controller) {
				// Not before: a request that is refused has a feed too, which nobody reads.
				if (ending === null) heartbeat ??= setInterval(beat, HEARTBEAT_MS);
				let events = takeNext();
				while (events === "" && ending === null && !isCancelled) {
					await new Promise<void>((resolve) => {
						wake = resolve;
					});
					events = takeNext();
				}
				if (isCancelled) return;
				if (events !== "") controller.enqueue(encoder.encode(events));
				if (ending === null) return;
				if (ending !== "") controller.enqueue(encoder.encode(ending));
				controller.close();
			},
			cancel() {
				isCancelled = true;
				stop();
				if (ending === null) options.onCancel();
			},
		},
		{ highWaterMark: 0 },
	);

	return {
		stream,
		write(text) {
			if (text === "" || ending !== null || isCancelled) return;
			if (unread.length < MAX_UNREAD_CHARACTERS) unread += text;
			wake();
		},
		end(events) {
			if (ending !== null) return;
			ending = events;
			stop();
		},
	};

	function takeNext(): string {
		let events = opening;
		opening = "";
		if (unread !== "") events += options.render(unread);
		unread = "";
		if (events === "" && isBeatDue) events = HEARTBEAT;
		isBeatDue = false;
		return events;
	}

	function beat(): void {
		isBeatDue = true;
		wake();
	}

	function stop(): void {
		clearInterval(heartbeat);
		wake();
	}
}

/** Aborts when the client disconnects. A listener may notice that before the stream does, which is read on demand. */
export function stopWith({ signal }: Pick<Incoming, "signal">): AbortController {
	const stopping = new AbortController();
	signal?.addEventListener("abort", () => stopping.abort());
	return stopping;
}

export const EVENT_STREAM_HEADERS = {
	"content-type": "text/event-stream; charset=utf-8",
	"cache-control": "no-store",
	// A buffering proxy would deliver the events only after the run has ended.
	"x-accel-buffering": "no",
} as const;

/** `JSON.stringify` emits no line breaks, so the data fits in one line. */
export const renderEvent = (event: string, data: object): string =>
	`event: ${event}\ndata: ${JSON.stringify(data)}\n\n`;
