import type { Clock } from "@tripline/platform/clock";
import type { CapturedRun } from "./document.ts";

/** The runs of one namespace, the oldest first. */
interface Share {
	/** Undefined where one was deleted. */
	runs: (CapturedRun | undefined)[];
	/** The first that has not been dropped. */
	start: number;
	bytes: number;
	/** The second of the latest run, and how many were put in it. */
	second: number;
	count: number;
}

const MAX_BYTES = 16 * 1024 * 1024;
const MIN_GAPS = 1000;
/** Of a namespace. More would displace each other before anybody could look, and retaining them takes processor time. */
const MAX_RUNS_PER_SECOND = 100;

/**
 * The latest runs of all namespaces in bounded memory. When it is full, the namespace that holds the most loses its
 * oldest runs, so that a busy one cannot displace the others. There is no index: every trigger adds to it, while lookups
 * are rare.
 */
export function memoryRuns({ clock, maxBytes = MAX_BYTES }: { clock: Clock; maxBytes?: number }) {
	const shares = new Map<string, Share>();
	/** Makes room for many runs at once, because finding the largest share takes a look at all of them. */
	const target = maxBytes - maxBytes / 16;
	let bytes = 0;

	return {
		/** Whether another run of the namespace is wanted in this second. */
		wants(namespace: string): boolean {
			const share = shares.get(namespace);
			if (share === undefined || share.count < MAX_RUNS_PER_SECOND) return true;
			return share.second !== Math.floor(clock.now() / 1000);
		},

		put(namespace: string, run: CapturedRun): void {
			let share = shares.get(namespace);
			if (share === undefined) {
				share = { runs: [], start: 0, bytes: 0, second: 0, count: 0 };
				shares.set(namespace, share);
			}
			const second = Math.floor(clock.now() / 1000);
			share.count = share.second === second ? share.count + 1 : 1;
			share.second = second;
			share.runs.push(run);
			share.bytes += run.capture.bytes;
			bytes += run.capture.bytes;
			if (bytes > maxBytes) makeRoom();
		},

		get(namespace: string, id: string): CapturedRun | null {
			return shares.get(namespace)?.runs.findLast((run) => run?.id === id) ?? null;
		},

		/** Whether it was there. */
		delete(namespace: string, id: string): boolean {
			const share = shares.get(namespace);
			const place = share?.runs.findLastIndex((run) => run?.id === id) ?? -1;
			if (share === undefined || place === -1) return false;
			free(share, place);
			return true;
		},
	};

	function makeRoom(): void {
		while (bytes > target) {
			const [namespace, largest, second] = findLargest();
			while (bytes > target && largest.start < largest.runs.length && largest.bytes >= second) {
				free(largest, largest.start);
				largest.start++;
			}
			if (largest.start === largest.runs.length) shares.delete(namespace);
			else if (largest.start > MIN_GAPS) {
				largest.runs = largest.runs.slice(largest.start);
				largest.start = 0;
			}
		}
	}

	/** With the size of the second largest. */
	function findLargest(): [namespace: string, largest: Share, second: number] {
		let found: [string, Share] | undefined;
		let second = 0;
		for (const each of shares) {
			if (found === undefined || each[1].bytes > found[1].bytes) {
				second = found?.[1].bytes ?? 0;
				found = each;
			} else second = Math.max(second, each[1].bytes);
		}
		return [...(found as [string, Share]), second];
	}

	function free(share: Share, place: number): void {
		const size = share.runs[place]?.capture.bytes ?? 0;
		share.runs[place] = undefined;
		share.bytes -= size;
		bytes -= size;
	}
}

export type MemoryRuns = ReturnType<typeof memoryRuns>;
