import assert from "node:assert/strict";
import { test } from "node:test";
import { requirements, type Service } from "./requirements.ts";
import { scenarios } from "./scenarios.ts";

/** Services whose every requirement must be cited. The others are counted until they join. */
const FINISHED: readonly Service[] = ["store", "knowledge", "executor", "registry", "mcp"];

const cited = new Set<string>(scenarios.flatMap((scenario) => scenario.cites));

test("every requirement has its own id", () => {
	const ids = requirements.map((requirement) => requirement.id);
	assert.equal(new Set(ids).size, ids.length);
});

for (const service of FINISHED) {
	test(`every requirement of the finished service ${service} is cited by a scenario`, () => {
		const uncited = requirements.filter((each) => each.service === service && !cited.has(each.id));
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

test("coverage by service", (context) => {
	for (const service of new Set(requirements.map((each) => each.service))) {
		const all = requirements.filter((each) => each.service === service);
		const done = all.filter((each) => cited.has(each.id)).length;
		context.diagnostic(`${service}: ${done} of ${all.length} requirements cited, ${all.length - done} to go`);
	}
});
