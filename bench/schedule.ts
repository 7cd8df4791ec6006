import { setTimeout as wait } from "node:timers/promises";
import type { Section } from "./report.ts";
import { scratchFolder } from "./scratch.ts";
import { type Service, startService } from "./service.ts";

const MINUTES = 10;
const MINUTE_MS = 60_000;
const PAUSE_MS = 500;
/** How long before a minute's start the process is stopped. */
const BEFORE_MS = 250;
const HEADERS = { "x-service-api-key": "default", "content-type": "application/json" };

/** The error in its record says which time it ran for. */
const minutely = {
	name: "minutely",
	description: "",
	version: "1",
	trigger: { type: "schedule", cron: "* * * * *" },
	triplets: ["input >> then >> fail"],
	config: { fail: { message: "{{input.scheduled_at}}" } },
};

/** A schedule of every minute on the real process, which is stopped for a moment over the start of every third minute. */
export async function scheduleSuite(
	onProgress: (what: string) => void,
	{ count = MINUTES }: { readonly count?: number },
): Promise<Section[]> {
	using folder = scratchFolder();
	await using service = await startService(folder.path);
	await fetch(`${service.publicUrl}/workflows`, {
		method: "POST",
		headers: HEADERS,
		body: JSON.stringify(minutely),
	});
	const first = Math.ceil(Date.now() / MINUTE_MS) * MINUTE_MS;
	for (let nth = 0; nth < count; nth++) {
		const time = first + nth * MINUTE_MS;
		await wait(Math.max(0, time - BEFORE_MS - Date.now()));
		if (nth % 3 === 1) await pause(service);
		onProgress(`minute ${nth + 1} of ${count}${nth % 3 === 1 ? ", with a pause" : ""}`);
	}
	await wait(5_000);
	const late = await readLateness(service);
	const expected = Array.from({ length: count }, (_, nth) => first + nth * MINUTE_MS);
	const missing = expected.filter((time) => !late.has(time)).length;
	return [
		{
			title: `A schedule of every minute, ${count} minutes, paused for ${PAUSE_MS} ms over every third`,
			rows: [
				{ what: "runs", unit: "runs", ours: late.size },
				{ what: "runs that did not come", unit: "runs", ours: missing, bar: { on: "ours", most: 0 } },
				{
					what: "latest start",
					unit: "ms",
					ours: Math.max(...late.values()),
					bar: { on: "ours", most: 2000 },
				},
			],
		},
	];
}

async function pause({ pid }: Service): Promise<void> {
	process.kill(pid, "SIGSTOP");
	await wait(PAUSE_MS);
	process.kill(pid, "SIGCONT");
}

/** Milliseconds from the time that a run was for until it started. */
async function readLateness({ publicUrl }: Service): Promise<Map<number, number>> {
	const answer = await fetch(`${publicUrl}/workflows/minutely/executions?limit=100`, { headers: HEADERS });
	const { executions } = (await answer.json()) as { executions: { time: string; error: string }[] };
	return new Map(
		executions.map(({ time, error }) => {
			const due = Date.parse(error.replace(/^fail: /, ""));
			return [due, Date.parse(time) - due];
		}),
	);
}
