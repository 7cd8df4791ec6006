import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { buffer } from "node:stream/consumers";
import { decodeSpans } from "../test/otlp.ts";
import { hasProc } from "./child.ts";
import { openInstance } from "./executor/instance.ts";
import { startLoad } from "./executor/load.ts";
import { comparePlainTriggers, PLAIN_TRIGGERS } from "./executor/plain-trigger.ts";
import type { Section } from "./report.ts";
import { scratchFolder } from "./scratch.ts";

/** Nobody listens there. */
const NOWHERE = "http://127.0.0.1:9";

const VARIANTS = [
	{ what: "10 % of the traces", ratio: "0.1", maxRatio: 1.08 },
	{ what: "all traces", ratio: "1", maxRatio: 1.25 },
	{ what: "all traces, the collector never answers", ratio: "1", maxRatio: 1.25, collector: "silent" },
	{ what: "all traces, the collector is away", ratio: "1", maxRatio: 1.25, collector: "away" },
] as const;

/** The plain trigger with tracing against the same without, measured alternately. */
export async function tracingSuite(onProgress: (what: string) => void): Promise<Section[]> {
	if (!hasProc) throw new Error("a server's CPU is read from /proc, which this platform does not have");
	using folder = scratchFolder();
	await using load = startLoad();
	const sections: Section[] = [];
	for (const [index, variant] of VARIANTS.entries()) {
		const { what, ratio, maxRatio } = variant;
		onProgress(what);
		await using collector = await openCollector("collector" in variant ? variant.collector : "there");
		const settings = { OTEL_EXPORTER_OTLP_ENDPOINT: collector.url, OTEL_TRACES_SAMPLER_ARG: ratio };
		const sides = {
			floor: (nth: number) => openInstance(join(folder.path, `off-${index}-${nth}`)),
			ours: (nth: number) => openInstance(join(folder.path, `on-${index}-${nth}`), settings),
			maxRatio,
		};
		const rows = await comparePlainTriggers(load, sides, onProgress);
		const received = collector.countSpans() / PLAIN_TRIGGERS;
		sections.push({
			title: `Plain trigger, CPU per request: ${what} / none`,
			rows: [...rows, { what: "received for each request", unit: "spans", ours: received }],
		});
	}
	return sections;
}

async function openCollector(state: "there" | "silent" | "away") {
	const bodies: Buffer[] = [];
	const server = createServer(async (request, response) => {
		bodies.push(await buffer(request));
		if (state === "there") response.end();
	});
	await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
	const { port } = server.address() as AddressInfo;
	return {
		url: state === "away" ? NOWHERE : `http://127.0.0.1:${port}`,
		/** Afterwards, because it would take the time of the load. */
		countSpans: () => bodies.reduce((sum, body) => sum + decodeSpans(body).spans.length, 0),
		async [Symbol.asyncDispose]() {
			server.closeAllConnections();
			await new Promise((resolve) => server.close(resolve));
		},
	};
}
