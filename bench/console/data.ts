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
