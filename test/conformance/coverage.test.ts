import assert from "node:assert/strict";
import { test } from "node:test";
import type { Service } from "./requirement.ts";
import { requirements } from "./requirements.ts";
import { scenarios } from "./scenarios.ts";

/** The requirements of the command line are covered by its own tests, see `cli-coverage.test.ts`. */
const SERVICES: readonly Service[] = ["store", "knowledge", "executor", "registry", "mcp"];

const cited = new Set<string>(scenarios.flatMap((scenario) => scenario.cites));

test("every requirement has its own id", () => {
	const ids = requirements.map((requirement) => requirement.id);
	assert.equal(new Set(ids).size, ids.length);
});

for (const service of SERVICES) {
	test(`every requirement of ${service} is cited by a scenario`, (context) => {
		const all = requirements.filter((each) => each.service === service);
		context.diagnostic(`${service}: ${all.length} requirements`);
		const uncited = all.filter((each) => !cited.has(each.id));
		assert.deepEqual(
			uncited.map((each) => `${each.id}: ${each.statement}`),
			[],
		);
	});
}

test("every scenario has a name of its own", () => {
	const names = scenarios.map((scenario) => scenario.name);
	assert.equal(new Set(names).size, names.length);
});
