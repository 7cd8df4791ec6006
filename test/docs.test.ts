import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { globSync, readFileSync } from "node:fs";
import { describe, test } from "node:test";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { start } from "../apps/node/test/process.ts";

const root = fileURLToPath(new URL("..", import.meta.url));
const run = promisify(execFile);

interface Block {
	readonly info: string;
	readonly text: string;
}

const blocksOf = (markdown: string): Block[] =>
	[...markdown.matchAll(/^```([^\n]*)\n(.*?)^```$/gms)].map(([, info = "", text = ""]) => ({ info, text }));

/** Everything in `expected` is in `actual`; `actual` may hold more. */
function assertHolds(actual: unknown, expected: unknown, path = "answer"): void {
	if (typeof expected !== "object" || expected === null) {
		assert.equal(actual, expected, path);
		return;
	}
	assert.ok(typeof actual === "object" && actual !== null, `${path} is ${JSON.stringify(actual)}`);
	for (const [key, value] of Object.entries(expected)) {
		assertHolds((actual as Record<string, unknown>)[key], value, `${path}.${key}`);
	}
}

describe("examples in the docs", () => {
	for (const file of ["README.md", ...globSync("docs/**/*.md", { cwd: root })]) {
		const blocks = blocksOf(readFileSync(root + file, "utf8"));
		if (!blocks.some((block) => block.info === "sh run")) continue;
		test(`${file} works from top to bottom`, async (context) => {
			const service = await start(context, {});
			let printed = "";
			for (const { info, text } of blocks) {
				if (info === "sh run") {
					const script = text
						.replaceAll("http://127.0.0.1:8484", service.publicUrl)
						.replaceAll("http://127.0.0.1:8485", service.storeUrl)
						.replaceAll("curl ", "curl --fail-with-body ");
					({ stdout: printed } = await run("bash", ["-euo", "pipefail", "-c", script]));
				} else if (info === "json answer") {
					const last = printed.slice(printed.lastIndexOf('}{"') + 1);
					assertHolds(JSON.parse(last), JSON.parse(text));
				}
			}
		});
	}
});
