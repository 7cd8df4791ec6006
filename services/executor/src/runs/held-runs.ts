import type { NodeTrace, RunResult } from "@tripline/contract/workflows";
import { noPeers, type Peers } from "@tripline/platform/peers";

export interface HeldRuns {
	/** Keeps the node trace of a finished run, without its data. */
	hold(owner: string, result: RunResult): void;
	/** Null if it is no longer held, was never held, or belongs to another owner. Another process may hold it. */
	find(owner: string, executionId: string): Promise<HeldRun | null>;
}

export interface HeldRun {
	readonly success: boolean;
	readonly nodes: readonly NodeTrace[];
}

interface Held extends HeldRun {
	readonly owner: string;
	readonly id: string;
	readonly bytes: number;
}

const BYTES_PER_NODE = 200;
const TOPIC = "trace";

/**
 * The node traces of the latest runs. A ring buffer without an index: every trigger adds to it, while lookups are rare
 * and compare a bounded number of ids.
 */
export function heldRuns({
	max = 1000,
	maxBytes = 16 * 1024 * 1024,
	peers = noPeers,
}: {
	readonly max?: number;
	readonly maxBytes?: number;
	readonly peers?: Peers;
} = {}): HeldRuns {
	const ring = new Array<Held | undefined>(max).fill(undefined);
	let next = 0;
	let count = 0;
	let bytes = 0;
	peers.answer(TOPIC, async (key) => {
		const [owner = "", id = ""] = key.split(" ");
		const run = get(owner, id);
		return run === null ? null : JSON.stringify({ success: run.success, nodes: run.nodes } satisfies HeldRun);
	});

	return {
		hold(owner, { execution_id, success, nodes }) {
			if (nodes === undefined) return;
			const size = estimateBytes(nodes);
			if (size > maxBytes) return;
			if (count === max) dropOldest();
			ring[next] = { owner, id: execution_id, success, nodes, bytes: size };
			next = (next + 1) % max;
			count++;
			bytes += size;
			while (bytes > maxBytes) dropOldest();
		},

		async find(owner, executionId) {
			const run = get(owner, executionId);
			if (run !== null) return run;
			const text = await peers.ask(TOPIC, `${owner} ${executionId}`);
			return text === null ? null : (JSON.parse(text) as HeldRun);
		},
	};

	function get(owner: string, executionId: string): HeldRun | null {
		return ring.find((run) => run?.id === executionId && run.owner === owner) ?? null;
	}

	function dropOldest(): void {
		const place = (next - count + max) % max;
		bytes -= ring[place]?.bytes ?? 0;
		ring[place] = undefined;
		count--;
	}
}

function estimateBytes(nodes: readonly NodeTrace[]): number {
	let size = BYTES_PER_NODE;
	for (const node of nodes) size += BYTES_PER_NODE + 2 * (node.error?.length ?? 0);
	return size;
}
