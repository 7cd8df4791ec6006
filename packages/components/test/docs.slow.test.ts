import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { readSource } from "@tripline/engine/source";
import { yamlSource } from "@tripline/engine/yaml";
import { builtIn } from "../src/catalogue.ts";

const script = fileURLToPath(new URL("../../../scripts/component-docs.ts", import.meta.url));
const page = readFileSync(new URL("../../../docs/components.md", import.meta.url), "utf8");

test("docs/components.md is up to date", () => {
	const { status, stderr } = spawnSync(process.execPath, [script, "--check"], { encoding: "utf8" });
	assert.equal(status, 0, stderr);
});

test("the reference has a section for each component, and its examples are valid YAML", () => {
	for (const { id } of builtIn) assert.ok(page.includes(`\n## ${id}\n`), id);
	const snippets = [...page.matchAll(/```yaml\n(.*?)```/gs)].map(([, yaml = ""]) => yaml);
	assert.ok(snippets.length > builtIn.length);
	for (const yaml of snippets.slice(1)) {
		const { diagnostics, definition } = readSource(
			yamlSource(`triplets: ["input >> ON_SUCCESS >> example"]\n${yaml}`),
			{ named: false },
		);
		assert.deepEqual(diagnostics, [], yaml);
		assert.equal(definition?.graph.nodes.length, 1);
	}
});
