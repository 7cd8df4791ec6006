import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { platforms, type Target } from "../conformance/platforms.ts";
import type { Listener } from "./listener.ts";
import { NOT_APPLICABLE } from "./not-applicable.ts";
import { OWNER_SECRET } from "./owner.ts";
import { requestToken } from "./strict-client.ts";
import { type Revision, runSuite, type Scenario } from "./suite.ts";
import { serveWithBearer } from "./with-bearer.ts";

/** Scenarios that any server can pass. The rest needs the suite's fixtures, and passes in `conformance.test.ts`. */
const MIN_PASSING: Readonly<Record<Revision, readonly string[]>> = {
	"2026-07-28": [
		"caching",
		"dns-rebinding-protection",
		"http-header-validation",
		"input-required-result-unsupported-methods",
		"input-required-result-validate-input",
		"prompts-list",
		"resources-list",
		"sep-2164-resource-not-found",
		"server-sse-multiple-streams",
		"tools-list",
	],
	"2025-11-25": [
		"dns-rebinding-protection",
		"ping",
		"prompts-list",
		"resources-list",
		"server-initialize",
		"tools-list",
	],
};

/** Scenarios of which only some checks need fixtures. */
const IN_PART: Readonly<Record<string, readonly string[]>> = {
	"server-stateless": [
		"sep-2575-http-server-no-independent-requests-on-stream",
		"sep-2575-missing-capability-http-400",
		"sep-2575-server-no-log-without-loglevel",
		"sep-2575-server-rejects-undeclared-capability",
	],
};

const FIXTURE_IS_MISSING =
	/there is no tool|unknown prompt|resource not found|^[\w-]+: (?:Not testable|Tool '\w+' not found)/;

for (const platform of platforms) {
	describe(`the official suite against the whole service, with a login, on ${platform.name}`, {
		concurrency: true,
	}, () => {
		let target: Target;
		let proxy: Listener;
		before(async () => {
			target = await platform.start({ MCP_OWNER_SECRET: OWNER_SECRET });
			proxy = await serveWithBearer(target.publicUrl, await requestToken(target.publicUrl));
		});
		after(async () => {
			await proxy.close();
			await target.close();
		});

		for (const revision of ["2026-07-28", "2025-11-25"] as const) {
			test(`passes for ${revision} where no fixture is needed`, async (t) => {
				const scenarios = await runSuite(proxy.url, revision);
				const passed = [...scenarios].filter(([, { outcome }]) => outcome === "passed");
				for (const [name, scenario] of scenarios) {
					const foreseen = IN_PART[name];
					if (foreseen !== undefined) assert.deepEqual([...scenario.failed].sort(), foreseen, name);
					else if (scenario.outcome !== "passed") assertCannotApply(name, scenario, revision);
				}
				assert.deepEqual(passed.map(([name]) => name).sort(), MIN_PASSING[revision]);
				const checks = [...scenarios.values()].flatMap((scenario) => scenario.passed);
				t.diagnostic(
					`${passed.length} scenarios and ${checks.length} checks passed, the rest needs fixtures or does not apply`,
				);
			});
		}
	});
}

function assertCannotApply(name: string, { said }: Scenario, revision: Revision): void {
	const isMissing = said.length > 0 && said.every((text) => FIXTURE_IS_MISSING.test(text));
	assert.ok(isMissing || name in NOT_APPLICABLE[revision], `${name}: ${said.join("; ")}`);
}
