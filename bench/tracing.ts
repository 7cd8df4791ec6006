import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { hasProc } from "./child.ts";
import { type Instance, openInstance } from "./executor/instance.ts";
import { startLoad } from "./executor/load.ts";
import { compareServed, countRecords, type Served, toInformation } from "./executor/served.ts";
import { threeNodes, triggerRequest } from "./executor/workflow.ts";
import type { Section } from "./report.ts";
import { scratchFolder } from "./scratch.ts";

const PACE = { rounds: 5, warmups: 3, count: 10_000, connections: 32 };
/** Nobody listens there. */
const NOWHERE = "http://127.0.0.1:9";

const VARIANTS = [
	{ what: "10 % of the traces", ratio: "0.1", most: 1.08 },
	{ what: "all traces", ratio: "1", most: 1.25 },
	{ what: "all traces, the collector never answers", ratio: "1", most: 1.25, collector: "silent" },
	{ what: "all traces, the collector is away", ratio: "1", most: 1.25, collector: "away" },
] as const;

/** The plain trigger with tracing against the same without, measured alternately. */
export async function tracingSuite(onProgress: (what: string) => void): Promise<Section[]> {
	if (!hasProc) throw new Error("a server's CPU is read from /proc, which this platform does not have");
	using folder = scratchFolder();
	await using load = startLoad();
	const sections: Section[] = [];
	for (const [nth, variant] of VARIANTS.entries()) {
		const { what, ratio, most } = variant;
		onProgress(what);
		await using collector = await openCollector("collector" in variant ? variant.collector : "there");
		await using off = await openInstance(join(folder.path, `off-${nth}`));
		await using on = await openInstance(join(folder.path, `on-${nth}`), {
			OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
			OTEL_TRACES_SAMPLER_ARG: ratio,
		});
		const sides = { floor: await startServed(off), ours: await startServed(on) };
		const compared = await compareServed(load, PACE, sides);
		const { floor, ours, ratio: measured } = compared;
		const requests = PACE.count * (PACE.rounds + PACE.warmups);
		sections.push({
			title: `Plain trigger, CPU per request: ${what} / none`,
			rows: [
				{
					what: "set, template, if by token",
					unit: "µs",
					floor,
					ours,
					ratio: measured,
					bar: { on: "ratio", most },
				},
				...toInformation("trigger", compared),
				{ what: "received for each request", unit: "spans", ours: collector.countSpans() / requests },
			],
		});
	}
	return sections;
}

async function openCollector(state: "there" | "silent" | "away") {
	let spans = 0;
	const server = createServer((request, response) => {
		request.setEncoding("latin1");
		request.on("data", (text: string) => {
			// A span on the border of two pieces may be missed.
			spans += text.split('"spanId"').length - 1;
		});
		if (state === "there") request.on("end", () => response.end("{}"));
	});
	await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
	const { port } = server.address() as AddressInfo;
	return {
		url: state === "away" ? NOWHERE : `http://127.0.0.1:${port}`,
		countSpans: () => spans,
		async [Symbol.asyncDispose]() {
			server.closeAllConnections();
			await new Promise((resolve) => server.close(resolve));
		},
	};
}

async function startServed(instance: Instance): Promise<Served> {
	return {
		...instance,
		url: instance.publicUrl,
		requests: [triggerRequest(await instance.webhook(threeNodes("plain")))],
		settle: countRecords(instance, "plain").settle,
	};
}
