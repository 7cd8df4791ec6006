import type { Invocation } from "../command.ts";
import { formatSize } from "./describe.ts";

/** Shorter transfers need no progress. */
const QUIET_MS = 1000;
const INTERVAL_MS = 200;
const CLEAR_LINE = "\r\u001b[K";

export interface Transfer {
	/** Counts the bytes that pass, and shows how far it is on a terminal. */
	readonly counted: ReadableStream<Uint8Array>;
	readonly bytes: () => number;
	/** Removes what was shown. */
	end(): void;
}

/** `what` says what happens, such as `uploading a.csv`. */
export function startTransfer(
	{ io, flags }: Pick<Invocation, "io" | "flags">,
	what: string,
	content: ReadableStream<Uint8Array>,
	size: number | undefined,
): Transfer {
	const isShown = io.isTerminal && flags.json !== true && flags.quiet !== true;
	const started = io.now();
	let bytes = 0;
	let shownAt = started + QUIET_MS - INTERVAL_MS;
	let hasShown = false;
	const counted = content.pipeThrough(
		new TransformStream<Uint8Array, Uint8Array>({
			transform(chunk, controller) {
				bytes += chunk.length;
				if (isShown && io.now() - shownAt >= INTERVAL_MS) show();
				controller.enqueue(chunk);
			},
		}),
	);
	return {
		counted,
		bytes: () => bytes,
		end: () => (hasShown ? io.err(CLEAR_LINE) : undefined),
	};

	function show(): void {
		shownAt = io.now();
		hasShown = true;
		const share = size === undefined || size === 0 ? "" : ` ${Math.floor((bytes / size) * 100)}% of`;
		io.err(`${CLEAR_LINE}${what}${share} ${formatSize(size ?? bytes)}`);
	}
}
