import type { LayoutStep, LayoutTask } from "./layout.ts";

interface Handlers {
	onPositions(positions: Float32Array): void;
	onRunning(isRunning: boolean): void;
}

/** The worker that lays out, and the newest task it has. Without workers nodes stay where they were first put. */
export function layoutRun({ onPositions, onRunning }: Handlers) {
	let id = 0;
	let worker: Worker | null = null;
	try {
		worker = new Worker(LAYOUT_WORKER, { type: "module" });
	} catch {
		// Nothing to be done: the first places are readable too.
	}
	worker?.addEventListener("message", ({ data }: MessageEvent<LayoutStep>) => {
		const from = performance.now();
		if (data.id === id) {
			onPositions(data.positions);
			if (data.isDone) onRunning(false);
		}
		// They are drawn in the next frame; the one after it comes when that is on the screen.
		requestAnimationFrame(() => requestAnimationFrame(() => worker?.postMessage(performance.now() - from)));
	});
	worker?.addEventListener("error", () => onRunning(false));
	return {
		start(task: Omit<LayoutTask, "id">): void {
			if (worker === null) return;
			id++;
			worker.postMessage({ id, ...task } satisfies LayoutTask);
			onRunning(true);
		},
		stop(): void {
			id++;
			worker?.postMessage(null);
			onRunning(false);
		},
		end: () => worker?.terminate(),
	};
}
