import { createLayout, type LayoutStep, type LayoutTask } from "./layout.ts";

/** Messages from the page: a task, null to stop, or the number of milliseconds it took to draw the last positions. */
type Asked = LayoutTask | number | null;

/** Milliseconds of work between two checks for messages. */
const ROUND_MS = 30;
/** Drawing may use at most a third of the page's time. */
const MAX_DRAWING_SHARE = 1 / 3;

let current: { readonly task: LayoutTask; readonly layout: ReturnType<typeof createLayout> } | null = null;
let sentAt = 0;
let nextAt = 0;
let timer: ReturnType<typeof setTimeout> | undefined;

addEventListener("message", ({ data }: MessageEvent<Asked>) => {
	if (typeof data === "number") {
		nextAt = sentAt + Math.max(current?.task.everyMs ?? 0, data / MAX_DRAWING_SHARE);
		return;
	}
	clearTimeout(timer);
	current = data === null ? null : { task: data, layout: createLayout(data) };
	nextAt = performance.now() + (data?.everyMs ?? 0);
	work();
});

function work(): void {
	if (current === null) return;
	const { task, layout } = current;
	const from = performance.now();
	let hasMore = true;
	while (hasMore && performance.now() < from + ROUND_MS) hasMore = layout.step();
	if (performance.now() >= nextAt || !hasMore) {
		const step: LayoutStep = { id: task.id, positions: layout.positions(), isDone: !hasMore };
		[sentAt, nextAt] = [performance.now(), Number.POSITIVE_INFINITY];
		postMessage(step, { transfer: [step.positions.buffer] });
	}
	if (!hasMore) current = null;
	// Yields between rounds, so that messages can be received.
	else timer = setTimeout(work);
}
