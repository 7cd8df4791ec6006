import assert from "node:assert/strict";
import { describe, test } from "node:test";
import type { Json } from "@tripline/contract/json";
import type { JsonObject } from "@tripline/contract/workflows";
import { componentHints } from "../../src/advice/component-names.ts";
import { parameterHints } from "../../src/advice/parameter-names.ts";
import { builtIn, builtInCatalogue } from "../../src/catalogue.ts";
import { compileNode, compileYaml } from "./compile.ts";

const hintFor = (settings: JsonObject, code: string, document: JsonObject = {}): string | undefined =>
	compileNode(settings, document).find((found) => found.code === code)?.hint;

describe("a component of another product", () => {
	const cases: Record<string, string> = {
		http: "`http_request`",
		httpRequest: "`http_request`",
		"n8n-nodes-base.httpRequest": "`http_request`",
		send_email: "`resend.send_email`",
		email: "`resend.send_email`",
		python: "JavaScript only",
		code_python: "JavaScript only",
		function: "`code`",
		script: "`code`",
		bash: "no shell commands",
		"n8n-nodes-base.convertToFile": "`make_file`",
		"n8n-nodes-base.spreadsheetFile": "`make_file`",
		write_file: "`make_file`",
		zip: "`make_file`",
		set_variable: "`set`",
		delay: "`wait`",
		sleep: "`wait`",
		loop: "FOREACH",
		split_in_batches: "FOREACH",
		SplitInBatches: "FOREACH",
		webhook: "trigger: { type: webhook }",
		cron: "type: schedule",
		openai: "`llm_chat`",
		chatgpt: "`llm_chat`",
		gpt: "`llm_chat`",
		trigger: "no node",
		input: "no node",
	};
	for (const [component, part] of Object.entries(cases)) {
		test(`${component}: ${part}`, () => {
			const hint = hintFor({ component }, "unknown_component") ?? "";
			assert.ok(hint.includes(part), hint);
		});
	}

	test("every hint names components that exist", () => {
		const hints = [...Object.values(componentHints), ...Object.values(parameterHints).flatMap(Object.values)];
		for (const hint of hints as string[]) {
			for (const [, name = ""] of hint.matchAll(/`([a-z_]+)`/g)) {
				assert.ok(builtInCatalogue.get(name) !== undefined, `${name}: ${hint}`);
			}
		}
	});

	test("no hint is hidden by a component or a parameter of that name", () => {
		for (const name of Object.keys(componentHints)) {
			assert.equal(name, name.toLowerCase().replace(/[\s_-]/g, ""));
			assert.equal(builtInCatalogue.get(name), undefined, name);
		}
		for (const [id, hints] of Object.entries(parameterHints)) {
			const component = builtIn.find((each) => each.id === id);
			for (const name of Object.keys(hints)) {
				const { issues = [] } = component?.params.safeParse({ [name]: 1 }).error ?? {};
				assert.ok(
					issues.some((issue) => issue.code === "unrecognized_keys" && issue.keys.includes(name)),
					`${id} has the parameter ${name}`,
				);
			}
		}
	});
});

describe("a setting of another product", () => {
	const cases: [settings: JsonObject, code: string, part: string][] = [
		[{ component: "http_request", url: "https://x.example", body: {} }, "unknown_parameter", "Use json"],
		[{ component: "http_request", url: "https://x.example", data: {} }, "unknown_parameter", "Use json"],
		[{ component: "http_request", url: "https://x.example", payload: {} }, "unknown_parameter", "Use json"],
		[{ component: "set", depends_on: ["b"] }, "unknown_parameter", "triplets"],
		[{ component: "set", next: "b" }, "unknown_parameter", "triplets"],
		[{ component: "set", timeout: 5 }, "unknown_parameter", "timeout_ms"],
		[{ component: "set", parameters: {} }, "unknown_parameter", "beside component"],
		[{ component: "set", retry: 3 }, "bad_field", "Write retry: { max: 3 }"],
		[{ component: "set", retry: true }, "bad_field", "Write retry: { max: 3 }"],
		[{ component: "set", timeout_ms: "5s" }, "bad_field", "timeout_ms: 5000"],
	];
	for (const [settings, code, part] of cases) {
		test(`${JSON.stringify(settings)}: ${part}`, () => {
			const hint = hintFor(settings, code) ?? "";
			assert.ok(hint.includes(part), hint);
		});
	}
});

describe("a document of another product", () => {
	const findHint = (document: JsonObject, code: string) =>
		hintFor({ component: "set" }, code, document) ?? "";

	test("has its nodes in other fields", () => {
		for (const field of ["steps", "jobs", "tasks", "depends_on", "next", "connections"]) {
			assert.ok(findHint({ [field]: [] }, "unknown_field").includes("triplets"), field);
		}
		const found = compileYaml("steps:\n  - name: a\n    uses: http\n");
		assert.deepEqual(
			found.map(({ code, line }) => `${code} ${line}`),
			["unknown_field 1"],
		);
	});

	test("has another trigger", () => {
		const cases: [trigger: Json, code: string, part: string][] = [
			["webhook", "bad_field", "{ type: webhook }"],
			["cron", "bad_field", "type: schedule"],
			["manual", "bad_field", "Leave trigger out"],
			[[{ type: "webhook" }], "bad_field", "one trigger"],
			[{ type: "cron" }, "bad_field", "type: schedule"],
			[{ cron: "0 8 * * *" }, "bad_field", "Add type: schedule"],
			[{ type: "schedule", every: "1h" }, "unknown_field", '"0 * * * *"'],
			[{ type: "schedule", every: "15 minutes" }, "unknown_field", '"*/15 * * * *"'],
			[{ type: "schedule", interval: "2 days" }, "unknown_field", '"0 0 */2 * *"'],
			[{ type: "schedule", interval: 60 }, "unknown_field", "cron"],
			[{ type: "webhook", path: "/x" }, "unknown_field", "Leave it out"],
		];
		for (const [trigger, code, part] of cases) {
			const hint = findHint({ trigger }, code);
			assert.ok(hint.includes(part), `${JSON.stringify(trigger)}: ${hint}`);
		}
	});

	test("has settings for the trigger as a node", () => {
		const config = { input: { component: "webhook" } };
		assert.ok(findHint({ config }, "reserved_name").includes("described under trigger"));
	});

	test("in the graph form has other fields in its nodes", () => {
		const nodes = [{ id: "a", component: "set", type: "set", parameters: {}, params: { values: {} } }];
		const found = compileYaml(JSON.stringify({ nodes }));
		assert.deepEqual(
			found.map(({ hint }) => hint),
			["Use component", "Use params"],
		);
	});
});
