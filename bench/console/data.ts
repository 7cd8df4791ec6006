/** A workflow document of about that many lines. */
export function createLongDocument(lines: number): string {
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
export const createWorkflows = (count: number) =>
	Array.from({ length: count }, (_, nth) => ({
		name: `workflow-${nth}`,
		description: `What workflow number ${nth} does every morning`,
		version: "1",
		trigger: { type: "schedule", cron: `${nth % 60} ${nth % 24} * * *`, timezone: "Asia/Taipei" },
		cron_expr: `${nth % 60} ${nth % 24} * * *`,
		expose: nth % 7 === 0,
		input_schema: null,
		output_schema: null,
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
export const createDocument = (name: string, nth: number): string =>
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

/** Records of the runs of the last day, in the store's format. */
export const createRuns = (count: number, now: number) =>
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

export const NODES = 5000;
export const FACTS = 8000;
const PREDICATES = [
	"is part of",
	"is sold by",
	"requires",
	"mentions",
	"is made of",
	"is run by",
	"ships from",
];

/** A traversal answer of a large graph: each node is linked to an earlier one, with cross links and outdated facts. */
export function createFacts() {
	let state = 7;
	const below = (count: number): number => {
		state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0;
		return Math.floor((state / 2 ** 32) * count);
	};
	const getName = (nth: number) => `thing number ${nth} of the workshop`;
	const triplets = Array.from({ length: FACTS }, (_, nth) => {
		const isTree = nth < NODES - 1;
		const subject = isTree ? nth + 1 : 1 + below(NODES - 1);
		// Roughly a squared random number, so that a few nodes have many links.
		const object = isTree ? below(1 + Math.floor((subject * (1 + below(100))) / 100)) : below(subject);
		return {
			id: `triplet-${nth}`,
			owner_id: "default",
			subject: getName(subject),
			predicate: PREDICATES[nth % PREDICATES.length],
			object: getName(object),
			status: nth % 20 === 19 ? "deprecated" : "active",
			superseded_by: nth % 20 === 19 ? `triplet-${nth - 1}` : null,
			source_uri: `https://example.com/page-${nth % 300}`,
			content_hash: `version ${nth % 3}`,
			source_anchor: `section ${nth}`,
			block_id: null,
			confidence: 0.9,
			created_at: 1_700_000_000 + nth,
			updated_at: 1_700_000_000 + nth,
		};
	});
	const nodes = Array.from({ length: NODES }, (_, nth) => ({
		name: getName(nth),
		depth: Math.min(nth, 2),
		gloss: nth % 3 === 0 ? `What thing number ${nth} is, in a few words` : null,
	}));
	return { start: getName(0), nodes, triplets, truncated: false };
}
