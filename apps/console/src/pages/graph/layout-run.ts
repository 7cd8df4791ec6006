import type { LayoutStep, LayoutTask } from "./layout.ts";

interface Handlers {
	onPositions(positions: Float32Array): void;
	onRunning(isRunning: boolean): void;
}

/** Runs the layout in a worker; only the newest task counts. Without workers, nodes keep their initial positions. */
export function layoutRun({ onPositions, onRunning }: Handlers) {
	let id = 0;
	let worker: Worker | null = null;
	try {
		worker = new Worker(LAYOUT_WORKER, { type: "module" });
	} catch {
		// Ignored: the initial positions are usable without a layout.
	}
	worker?.addEventListener("message", ({ data }: MessageEvent<LayoutStep>) => {
		const from = performance.now();
		if (data.id === id) {
			onPositions(data.positions);
			if (data.isDone) onRunning(false);
		}
		// The positions are drawn in the next frame; the frame after that starts once they are on the screen.
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
