import { type LayoutStep, type LayoutTask, layoutOf } from "./layout.ts";

/** Messages from the page: a task, null to stop, or the number of milliseconds it took to draw the last positions. */
type Asked = LayoutTask | number | null;

/** Milliseconds of work between two checks for messages. */
const ROUND = 30;
/** Drawing may use at most a third of the page's time. */
const SHARE_OF_DRAWING = 1 / 3;

let current: { readonly task: LayoutTask; readonly layout: ReturnType<typeof layoutOf> } | null = null;
let sentAt = 0;
let nextAt = 0;
let timer: ReturnType<typeof setTimeout> | undefined;

addEventListener("message", ({ data }: MessageEvent<Asked>) => {
	if (typeof data === "number") {
		nextAt = sentAt + Math.max(current?.task.everyMs ?? 0, data / SHARE_OF_DRAWING);
		return;
	}
	clearTimeout(timer);
	current = data === null ? null : { task: data, layout: layoutOf(data) };
	nextAt = performance.now() + (data?.everyMs ?? 0);
	work();
});

function work(): void {
	if (current === null) return;
	const { task, layout } = current;
	const from = performance.now();
	let hasMore = true;
	while (hasMore && performance.now() < from + ROUND) hasMore = layout.step();
	if (performance.now() >= nextAt || !hasMore) {
		const step: LayoutStep = { id: task.id, positions: layout.positions(), isDone: !hasMore };
		[sentAt, nextAt] = [performance.now(), Number.POSITIVE_INFINITY];
		postMessage(step, { transfer: [step.positions.buffer] });
	}
	if (!hasMore) current = null;
	// Yields between rounds, so that messages can be received.
	else timer = setTimeout(work);
}
