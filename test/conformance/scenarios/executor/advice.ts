import assert from "node:assert/strict";
import { SavedWorkflow, Validation } from "@tripline/contract/executor";
import type { Scenario, World } from "../../scenario.ts";
import { echo, run, save } from "./saving.ts";

const yamlHeaders = { "content-type": "application/yaml" };

async function validate(world: World, source: string | object) {
	const options = typeof source === "string" ? { raw: source, headers: yamlHeaders } : { body: source };
	const { valid, diagnostics } = await world.executor.expect(
		200,
		Validation,
		"POST",
		"/workflows/validate",
		options,
	);
	return { valid, diagnostics };
}

const DOCUMENT =
	'name: advised\ndescription: d\nversion: "1"\ntriplets:\n  - input >> then >> a\nconfig:\n  a:\n';

/** A document whose node `a` has these settings, the first of them in line 8. */
const withSettings = (...lines: readonly string[]): string =>
	`${DOCUMENT}${lines.map((line) => `    ${line}\n`).join("")}`;

export const advised: readonly Scenario[] = [
	{
		name: "one mistake in YAML is one diagnostic at its place, with the line to write instead",
		cites: [],
		async run(world) {
			for (const [setting, place, hint] of [
				["values: { x: input.tags[0] == 1 }", "8:28", 'Quote it: x: "input.tags[0] == 1"'],
				["text: {{input.name}}", "8:11", 'Quote it: text: "{{input.name}}"'],
				["condition: !has(input.x)", "8:16", 'Quote it: condition: "!has(input.x)"'],
				["component:set", "8:14", "Write component: set"],
			] as const) {
				const { valid, diagnostics } = await validate(world, withSettings(setting, "component: set"));
				assert.equal(valid, false);
				assert.deepEqual(
					diagnostics.map(({ code, line, column, hint }) => [code, `${line}:${column}`, hint]),
					[["bad_yaml", place, hint]],
				);
			}
		},
	},
	{
		name: "a document with merges in YAML is stored as written and runs",
		cites: [],
		async run(world) {
			const raw = `name: merging
description: d
version: "1"
triplets:
  - input >> then >> one
  - one >> then >> two
config:
  one: &base
    component: set
    values: { greeting: hello }
    timeout_ms: 1000
  two:
    <<: *base
    values: { name: "{{input.name}}" }
`;
			const options = { raw, headers: yamlHeaders };
			const saved = await world.executor.expect(201, SavedWorkflow, "POST", "/workflows", options);
			assert.deepEqual(
				saved.graph.nodes.map(({ component, timeout_ms }) => [component, timeout_ms]),
				[
					["set", 1000],
					["set", 1000],
				],
			);
			assert.deepEqual((await run(world, "merging", { name: "Ada" })).data, { name: "Ada" });
			const written = await world.executor.call("GET", "/webhooks/named/merging", {
				headers: { accept: "application/yaml" },
			});
			assert.equal(written.body, raw);
		},
	},
	{
		name: "code is parsed when it is saved: a syntax error is an error, an unknown name a warning",
		cites: [],
		async run(world) {
			const broken = withSettings("component: code", "code: |", "  const a = 1;", "  return (a;");
			const refused = await validate(world, broken);
			assert.equal(refused.valid, false);
			assert.deepEqual(
				refused.diagnostics.map(({ severity, code, line, column }) => [severity, code, line, column]),
				[["error", "bad_code", 11, 16]],
			);
			const warned = await validate(world, {
				...echo("warned"),
				config: { only: { component: "code", code: "return fetch(input.url);" } },
			});
			assert.equal(warned.valid, true);
			assert.deepEqual(
				warned.diagnostics.map(({ severity, code }) => [severity, code]),
				[
					["warning", "unknown_global"],
					["warning", "missing_input"],
				],
			);
			assert.match(warned.diagnostics[0]?.hint ?? "", /`http_request`/);
		},
	},
	{
		name: "names of other products have hints, in YAML and in JSON",
		cites: [],
		async run(world) {
			const document = {
				...echo("foreign"),
				trigger: "webhook",
				steps: [],
				config: { only: { component: "n8n-nodes-base.httpRequest", retry: 3 } },
			};
			for (const source of [document, JSON.stringify(document)]) {
				const { diagnostics } = await validate(world, source);
				const hints = diagnostics.map(({ hint = "" }) => hint).join("\n");
				for (const part of ["`http_request`", "retry: { max: 3 }", "trigger: { type: webhook }", "triplets"])
					assert.ok(hints.includes(part), `${part} in ${hints}`);
			}
		},
	},
	{
		name: "a workflow that does not exist and a timeout out of reach are warnings when saving",
		cites: [],
		async run(world) {
			const document = {
				...echo("caller"),
				config: { only: { component: "workflow", name: "wether" } },
				options: { timeout_ms: 700_000 },
			};
			const list = async () =>
				(await validate(world, document)).diagnostics.map(({ severity, code }) => `${severity} ${code}`);
			assert.deepEqual(await list(), ["warning unknown_workflow", "warning unreachable_timeout"]);
			const { diagnostics } = await save(world, document);
			assert.equal(diagnostics?.length, 2);
			await save(world, echo("weather"));
			const [hinted] = (await validate(world, document)).diagnostics;
			assert.equal(hinted?.hint, 'Did you mean "weather"?');
			await save(world, echo("wether"));
			assert.deepEqual(await list(), ["warning unreachable_timeout"]);
			const recursive = { ...document, config: { only: { component: "workflow", name: "caller" } } };
			assert.deepEqual(
				(await validate(world, { ...recursive, options: {} })).diagnostics.map(({ code }) => code),
				[],
			);
		},
	},
];
