import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { runScenarios } from "../conformance/run.ts";
import type { Scenario } from "../conformance/scenario.ts";
import { scenarios } from "../conformance/scenarios.ts";
import { createPlatform, type Deployment } from "./conformance/deployment.ts";
import { NOT_APPLICABLE } from "./conformance/not-applicable.ts";

const applicable = scenarios.filter(({ name }) => !(name in NOT_APPLICABLE)).map(toDeploymentScenario);
const isDefault = ({ environment = {} }: Scenario) => Object.keys(environment).length === 0;

/** Two deployments in parallel, because most of the time is spent waiting. */
describe("the conformance suite", { concurrency: 2 }, () => {
	runScenarios(
		createPlatform("a deployment that init made"),
		applicable.filter((scenario) => isDefault(scenario)),
	);
	runScenarios(
		createPlatform("a deployment with settings"),
		applicable.filter((scenario) => !isDefault(scenario)),
	);
});

test("every not-applicable scenario exists, and no other is left out", () => {
	const names = scenarios.map(({ name }) => name);
	assert.deepEqual(
		names.filter((name) => name in NOT_APPLICABLE).toSorted(),
		Object.keys(NOT_APPLICABLE).toSorted(),
	);
	assert.equal(applicable.length + Object.keys(NOT_APPLICABLE).length, names.length);
});

/** Checks that the scenario sends requests to the deployment; otherwise it proves nothing about it. */
function toDeploymentScenario(scenario: Scenario): Scenario {
	return {
		...scenario,
		async run(world) {
			const { requests } = world.target as Deployment;
			const before = requests();
			await scenario.run(world);
			assert.notEqual(requests(), before, "the scenario sends no request to the deployment");
		},
	};
}
