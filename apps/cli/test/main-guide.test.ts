import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { describe, test } from "node:test";
import { commands } from "../src/commands.ts";
import { parseCall } from "../src/dispatch.ts";
import { parseArguments } from "../src/parse.ts";

const guide = readFileSync(new URL("../../../docs/guides/cli.md", import.meta.url), "utf8");
const lines = [...guide.matchAll(/^```sh\n([\s\S]*?)^```$/gm)]
	.flatMap(([, block = ""]) => block.split("\n"))
	.filter((line) => /\btripline\b/.test(line));

describe("the guide", () => {
	test("has an example of every command and every flag", () => {
		for (const { name, flags } of commands) {
			assert.ok(
				lines.some((line) => line.includes(`tripline ${name}`)),
				`tripline ${name}`,
			);
			for (const flag of flags)
				assert.ok(guide.includes(`--${flag.name}`), `tripline ${name} --${flag.name}`);
		}
	});

	test("shows only valid command lines", () => {
		assert.ok(lines.length > commands.length);
		for (const line of lines) assert.doesNotThrow(() => parseLine(line), line);
	});
});

test("the examples of every command are valid", () => {
	for (const { name, examples } of commands) {
		for (const { line } of examples)
			if (/\btripline\b/.test(line)) assert.doesNotThrow(() => parseLine(line), `${name}: ${line}`);
	}
});

/** Parses a shell line as far as the examples need: quotes, pipes and redirections. */
function parseLine(line: string): void {
	const [, text = ""] = /(?:^|[\s(])tripline(?:@\w+)?\s+([^|<>]*?)(?:\)"|[|<>]|$)/.exec(line) ?? [];
	const words = [...text.matchAll(/'([^']*)'|"([^"]*)"|(\S+)/g)].map(
		([, one, two, plain]) => one ?? two ?? plain ?? "",
	);
	const call = parseCall(words);
	assert.equal(call.kind, "command");
	if (call.kind === "command") parseArguments(call.command, call.words);
}
