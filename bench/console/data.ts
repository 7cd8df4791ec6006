/** A workflow document of about so many lines. */
export function longDocument(lines: number): string {
	const count = Math.floor((lines - 6) / 6);
	const steps = Array.from({ length: count }, (_, nth) => `step ${nth}`);
	return [
		"name: long",
		"description: As long as a workflow gets",
		'version: "1"',
		"triplets:",
		...steps.map((step, nth) => `  - ${nth === 0 ? "input" : steps[nth - 1]} >> then >> ${step}`),
		"config:",
		...steps.flatMap((step, nth) => [
			`  ${step}:`,
			"    component: template",
			`    text: "Step ${nth} of {{input.name}}"`,
			"    retry: { max: 2, delay_ms: 10 }",
			"    timeout_ms: 5000",
		]),
		"",
	].join("\n");
}

/** As the console's API lists them. */
export const manyWorkflows = (count: number) =>
	Array.from({ length: count }, (_, nth) => ({
		name: `workflow-${nth}`,
		description: `What workflow number ${nth} does every morning`,
		version: "1",
		trigger: { type: "schedule", cron: `${nth % 60} ${nth % 24} * * *`, timezone: "Asia/Taipei" },
		cron_expr: `${nth % 60} ${nth % 24} * * *`,
		expose: nth % 7 === 0,
		input_schema: null,
		next_run_at: new Date(1_800_000_000_000 + nth * 60_000).toISOString(),
		webhook_url: `http://127.0.0.1/webhooks/named/default/workflow-${nth}/trigger`,
		source: "store",
		updated_at: new Date(1_700_000_000_000).toISOString(),
		last_execution: {
			time: new Date(1_700_000_000_000 + nth).toISOString(),
			verdict: nth % 5 === 0 ? "failed" : "success",
			duration_ms: nth % 900,
			error: nth % 5 === 0 ? "ask: the address could not be reached" : "",
		},
	}));

const HOUR_MS = 3_600_000;

/** Some workflows, of which one is on a schedule. */
export const WORKFLOWS = ["orders", "report", "stock", "mail"];
export const documentOf = (name: string, nth: number): string =>
	[
		`name: ${name}`,
		`description: What is done with ${name} every day`,
		'version: "1"',
		...(nth === 0 ? ["trigger: { type: schedule, cron: 0 7 * * *, timezone: Asia/Taipei }"] : []),
		"triplets:",
		"  - input >> then >> step",
		"config:",
		"  step: { component: template, text: Done }",
		"",
	].join("\n");

/** Records of what ran in the last day, as the store takes them. */
export const dayOfRuns = (count: number, now: number) =>
	Array.from({ length: count }, (_, nth) => {
		const isFailed = nth % 9 === 4;
		return {
			owner_id: "default",
			workflow: WORKFLOWS[nth % WORKFLOWS.length],
			verdict: isFailed ? "failed" : "success",
			duration_ms: 20 + ((nth * 37) % 900),
			time: new Date(now - (nth / count) * 23 * HOUR_MS).toISOString(),
			trigger: "schedule",
			...(isFailed && {
				error: "step: the address could not be reached",
				failed_node: "step",
				nodes: [{ id: "step", component: "template" }],
			}),
		};
	});
