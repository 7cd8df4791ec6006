import { type LayoutStep, type LayoutTask, layoutOf } from "./layout.ts";

/** The page sends a task, a null to stop, and a true when it has drawn what it got and can take more. */
type Asked = LayoutTask | true | null;

let current: { readonly task: LayoutTask; readonly layout: ReturnType<typeof layoutOf> } | null = null;
let canTakeMore = true;
let timer: ReturnType<typeof setTimeout> | undefined;

addEventListener("message", ({ data }: MessageEvent<Asked>) => {
	if (data === true) {
		canTakeMore = true;
		return;
	}
	clearTimeout(timer);
	current = data === null ? null : { task: data, layout: layoutOf(data) };
	work();
});

function work(): void {
	if (current === null) return;
	const { task, layout } = current;
	const until = performance.now() + task.everyMs;
	let hasMore = true;
	while (hasMore && performance.now() < until) hasMore = layout.step();
	if (canTakeMore || !hasMore) {
		const step: LayoutStep = { id: task.id, positions: layout.positions(), isDone: !hasMore };
		canTakeMore = false;
		postMessage(step, { transfer: [step.positions.buffer] });
	}
	if (!hasMore) current = null;
	// Between two rounds, so that a message can come in.
	else timer = setTimeout(work);
}
