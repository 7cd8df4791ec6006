import assert from "node:assert/strict";
import { test } from "node:test";
import { platforms } from "../conformance/platforms.ts";
import { OWNER_SECRET } from "./owner.ts";
import { findFreePort } from "./spawn.ts";
import { runAuthorization } from "./suite.ts";

for (const platform of platforms) {
	test(`the authorization server passes the official suite on ${platform.name}`, async (t) => {
		const target = await platform.start({ MCP_OWNER_SECRET: OWNER_SECRET });
		try {
			const { scenarios, ended } = await runAuthorization(target.publicUrl, await findFreePort());
			const summary = ended.stdout.split("=== SUMMARY ===")[1]?.trim() ?? "";
			for (const line of summary.split("\n")) t.diagnostic(line);
			const outcomes = [...scenarios].map(([name, { outcome, passed }]) => [name, outcome, ...passed]);
			assert.deepEqual(outcomes.sort(), [
				["authorization-code-grant", "passed", "authorization-code-grant"],
				[
					"authorization-server-metadata-endpoint",
					"passed",
					"authorization-server-metadata",
					"authorization-server-metadata-cimd",
				],
			]);
			assert.match(summary, /^Total: 3 passed, 0 failed$/m);
			assert.equal(ended.code, 0, ended.stderr);
		} finally {
			await target.close();
		}
	});
}
