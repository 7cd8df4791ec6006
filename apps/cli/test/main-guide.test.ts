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
		assert.deepEqual(lines.flatMap(listProblems), []);
	});
});

test("the examples of every command are valid", () => {
	const examples = commands.flatMap((command) => command.examples.map(({ line }) => line));
	assert.deepEqual(examples.filter((line) => /\btripline\b/.test(line)).flatMap(listProblems), []);
});

/** Why a shell line is not valid. It is parsed as far as the examples need: quotes, pipes and redirections. */
function listProblems(line: string): string[] {
	const [, text = ""] = /(?:^|[\s(])tripline(?:@\w+)?\s+([^|<>]*?)(?:\)"|[|<>]|$)/.exec(line) ?? [];
	const words = [...text.matchAll(/'([^']*)'|"([^"]*)"|(\S+)/g)].map(
		([, one, two, plain]) => one ?? two ?? plain ?? "",
	);
	try {
		const call = parseCall(words);
		if (call.kind !== "command") return [`${line}: not a command`];
		parseArguments(call.command, call.words);
		return [];
	} catch (error) {
		return [`${line}: ${error}`];
	}
}
