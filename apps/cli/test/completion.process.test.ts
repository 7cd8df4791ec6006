import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, test } from "node:test";
import { commands } from "../src/commands.ts";
import { startWithoutService } from "./world.ts";

const { cli, place } = startWithoutService();

const script = async (shell: string): Promise<string> => (await cli(["completion", shell])).out;

describe("bash", { skip: isMissing("bash") }, () => {
	const cases: [line: string, includes: string[], excludes: string[]][] = [
		["tripline ", ["config", "mcp-setup", "creds"], ["get", "--where"]],
		["tripline con", ["config"], ["creds"]],
		["tripline --", ["--help", "--version"], ["config"]],
		["tripline config ", ["get", "set"], ["config"]],
		["tripline config --", ["--where", "--json"], ["--global", "get"]],
		["tripline config set --", ["--global"], ["--where"]],
		["tripline config set namespace --g", ["--global"], []],
		["tripline creds ", ["push"], ["config"]],
		["tripline mcp-setup --static-token-env ", [], ["--verify", "config"]],
	];
	for (const [line, includes, excludes] of cases) {
		test(`completes "${line}"`, async () => {
			const found = completeInBash(await script("bash"), line);
			for (const word of includes) assert.ok(found.includes(word), `${word} in ${found}`);
			for (const word of excludes) assert.ok(!found.includes(word), `${word} in ${found}`);
		});
	}

	test("knows every command", async () => {
		const bash = await script("bash");
		for (const { name } of commands) {
			const [first = "", second] = name.split(" ");
			const line = second === undefined ? "tripline " : `tripline ${first} `;
			assert.ok(completeInBash(bash, line).includes(second ?? first), name);
		}
	});

	/** The completions that bash itself offers for the line. */
	function completeInBash(text: string, line: string): string[] {
		const file = join(place().cwd, "completion.bash");
		writeFileSync(file, text);
		const program = `set -u; source "$1"; shift; COMP_WORDS=("$@"); COMP_CWORD=$((\${#COMP_WORDS[@]} - 1)); _tripline; printf '%s\\n' "\${COMPREPLY[@]-}"`;
		const { stdout, stderr, status } = spawnSync("bash", ["-c", program, "bash", file, ...line.split(" ")], {
			encoding: "utf8",
		});
		assert.equal(status, 0, stderr);
		assert.equal(stderr, "");
		return stdout.split("\n").filter((word) => word !== "");
	}
});

for (const shell of ["zsh", "fish"]) {
	test(`${shell} can read its script`, { skip: isMissing(shell) }, async () => {
		const file = join(place().cwd, "completion");
		writeFileSync(file, await script(shell));
		const { status, stderr } = spawnSync(shell, ["-n", file], { encoding: "utf8" });
		assert.equal(stderr, "");
		assert.equal(status, 0);
	});

	test(`the script for ${shell} has every command and every flag`, async () => {
		const text = await script(shell);
		for (const { name, flags } of commands) {
			for (const word of name.split(" ")) assert.ok(text.includes(word), name);
			for (const flag of flags)
				assert.ok(text.includes(shell === "zsh" ? `--${flag.name}:` : `-l ${flag.name} `), flag.name);
		}
	});
}

test("rejects an unknown shell and lists the known ones", async () => {
	const { code, err } = await cli(["completion", "powershell"]);
	assert.equal(code, 2);
	assert.match(err, /no completion for "powershell"\n {2}there is one for bash, zsh, fish/);
});

function isMissing(shell: string): boolean {
	return spawnSync(shell, ["-c", "exit 0"]).status !== 0;
}
