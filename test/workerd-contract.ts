import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { startWorker } from "./workerd.ts";

interface WorkerContract {
	/** A worker that runs the case whose index is requested, and responds with 200 if it passes. */
	readonly worker: Parameters<typeof startWorker>[0];
	readonly cases: readonly { readonly name: string }[];
	/** Opens what the cases need outside the worker, and returns the query that passes it to the worker. */
	open?(): Promise<{ readonly query: string; close(): Promise<void> }>;
}

/** Runs each case of a port's contract as a test in real workerd. */
export function testContractOnWorkerd(name: string, { worker, cases, open }: WorkerContract): void {
	describe(name, () => {
		let started: Awaited<ReturnType<typeof startWorker>>;
		let opened: Awaited<ReturnType<NonNullable<typeof open>>> | undefined;
		before(async () => {
			opened = await open?.();
			started = await startWorker(worker);
		});
		after(async () => {
			await started.miniflare.dispose();
			await opened?.close();
		});
		for (const [index, { name: title }] of cases.entries()) {
			test(title, async () => {
				const signal = AbortSignal.timeout(90_000);
				const response = await fetch(`${started.url}/${index}${opened?.query ?? ""}`, { signal });
				assert.equal(response.status, 200, await response.text());
			});
		}
	});
}
