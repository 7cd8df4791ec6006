import assert from "node:assert/strict";
import { monitorEventLoopDelay } from "node:perf_hooks";
import { after, describe, test } from "node:test";
import { deflateSync } from "node:zlib";
import { nodePdf } from "../src/pdf.node.ts";
import type { PdfJob } from "../src/pdf.ts";
import { pdfContract } from "./contracts/pdf.ts";
import { writePage, writePages } from "./pdf-writer.ts";

const createJob = (bytes: Uint8Array<ArrayBuffer>): PdfJob => ({
	pages: null,
	content: async () => bytes,
	pause: async () => {},
});
const unaborted = new AbortController().signal;

/** A page that takes minutes: every one of its many operators shows text. */
const slowPage = writePage({
	dictionary: "/Filter /FlateDecode",
	stream: deflateSync(`BT /F 12 Tf ${"1 0 0 1 5 5 Tm (a) Tj ".repeat(2_500_000)} ET`),
});
const createSlowPage = () => slowPage.slice();

describe("pdf on Node", () => {
	const reader = nodePdf();
	after(() => reader.close());
	for (const { name, run } of pdfContract) test(name, () => run(reader));

	test("a file that takes too long is given up, without a stall", async () => {
		const impatient = nodePdf({ timeoutMs: 1500 });
		const delays = monitorEventLoopDelay({ resolution: 1 });
		const content = createSlowPage();
		delays.enable();
		const outcome = await impatient.read(createJob(content), unaborted);
		delays.disable();
		assert.deepEqual(outcome, {
			ok: false,
			error: "reading the PDF took longer than 1.5 s; choose fewer pages",
		});
		assert.ok(delays.max / 1e6 < 250, `a turn took ${delays.max / 1e6} ms`);
		await impatient.close();
	});

	test("a thread is ended when its job is aborted", async () => {
		const started = performance.now();
		await assert.rejects(reader.read(createJob(createSlowPage()), AbortSignal.timeout(500)), {
			name: "TimeoutError",
		});
		assert.ok(performance.now() - started < 5000);
	});

	test("waiting jobs hold no content, and a reader that closes rejects them", async () => {
		const closing = nodePdf();
		let opened = 0;
		const jobs = Array.from({ length: 6 }, () => ({
			...createJob(new Uint8Array()),
			async content() {
				opened++;
				return createSlowPage();
			},
		}));
		const outcomes = Promise.allSettled(jobs.map((job) => closing.read(job, unaborted)));
		await new Promise((resolve) => setTimeout(resolve, 300));
		assert.equal(opened, 2);
		await closing.close();
		for (const outcome of await outcomes) assert.equal(outcome.status, "rejected");
	});

	test("one owner may not fill the queue", async () => {
		const crowded = nodePdf();
		const job = { ...createJob(new Uint8Array()), owner: "a", content: async () => createSlowPage() };
		const outcomes = Array.from({ length: 35 }, () => crowded.read(job, unaborted));
		const other = crowded.read({ ...createJob(writePages(1)), owner: "b" }, unaborted);
		const settled = Promise.allSettled([...outcomes, other]);
		await assert.rejects(outcomes[34] as Promise<unknown>, /too many PDF files are waiting/);
		await crowded.close();
		assert.equal((await settled).length, 36);
	});
});
