import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { commands } from "../src/commands.ts";
import { startWithoutService } from "./world.ts";

const { cli } = startWithoutService();

describe("help", () => {
	for (const argv of [["--help"], ["-h"], ["help"]]) {
		test(`tripline ${argv.join(" ")} lists every command`, async () => {
			const { code, out, err } = await cli(argv);
			assert.equal(code, 0);
			assert.equal(err, "");
			for (const { name, about } of commands)
				assert.match(out, new RegExp(`^  ${name} +${escapeRegExp(about)}$`, "m"));
		});
	}

	test("of a command has its usage, flags and examples", async () => {
		const { code, out } = await cli(["config", "set", "--help"]);
		assert.equal(code, 0);
		assert.match(out, /usage: tripline config set <name> <value> \[flags\]/);
		assert.match(out, /--global +write to/);
		assert.match(out, /--json +/);
		assert.match(out, /tripline config set mcp_url https:\/\/tripline\.example\.com/);
	});

	test("help <command> is the same as <command> --help", async () => {
		const [one, other] = [await cli(["help", "config", "set"]), await cli(["config", "set", "--help"])];
		assert.equal(one.out, other.out);
	});

	test("of a group lists only its commands", async () => {
		const { code, out } = await cli(["creds", "--help"]);
		assert.equal(code, 0);
		assert.match(out, /creds push/);
		assert.doesNotMatch(out, /mcp-setup/);
	});

	test("of a command with subcommands lists those too", async () => {
		const { out } = await cli(["config", "--help"]);
		assert.match(out, /config get/);
	});

	test("as JSON is the table of commands", async () => {
		const { json } = await cli(["--help", "--json"]);
		assert.deepEqual(
			(json as { name: string }[]).map(({ name }) => name),
			commands.map(({ name }) => name),
		);
	});

	test("every command has an example that begins with its own name", () => {
		for (const { name, examples } of commands)
			assert.ok(
				examples.some(({ line }) => line.includes(`tripline ${name}`)),
				name,
			);
	});

	test("does not ask for the arguments of the command", async () => {
		const { code, err } = await cli(["config", "get", "--help"]);
		assert.equal(code, 0);
		assert.equal(err, "");
	});
});

test("--version prints the version, and JSON on demand", async () => {
	assert.equal((await cli(["--version"])).out, "0.0.0-test\n");
	assert.deepEqual((await cli(["--version", "--json"])).json, { version: "0.0.0-test" });
	assert.deepEqual((await cli(["--json", "--version"])).json, { version: "0.0.0-test" });
});

describe("wrong usage exits with 2 and gives a hint", () => {
	const cases: [argv: string[], message: RegExp, hint: RegExp][] = [
		[["confg"], /there is no command "confg"/, /did you mean: tripline config/],
		[["mcp-stup", "--verify"], /there is no command "mcp-stup"/, /did you mean: tripline mcp-setup/],
		[["crds", "push"], /there is no command "crds"/, /did you mean: tripline creds push/],
		[["creds", "psuh"], /there is no command "creds psuh"/, /did you mean: tripline creds push/],
		[["start"], /there is no command "start"/, /did you mean: tripline serve/],
		[["xyzzy", "file.yaml"], /there is no command "xyzzy"/, /tripline --help lists them/],
		[["creds"], /creds needs a subcommand/, /tripline creds push/],
		[["--json=1"], /--json=1 must follow a command/, /tripline --help/],
		[["help", "nosuch"], /there is no command "nosuch"/, /tripline --help lists them/],
		[["config", "get"], /<name> is missing/, /tripline config get --help/],
		[["config", "get", "mcp_url", "more"], /unexpected argument "more"/, /tripline config get --help/],
		[["config", "get", "mcp_url", "--wher"], /--wher is not a flag of config get/, /did you mean: --where/],
		[["config", "get", "mcp_url", "-x"], /-x is not a flag of config get/, /tripline config get --help/],
		[["config", "--where=yes"], /--where takes no value/, /tripline config --help/],
		[["mcp-setup", "--static-token-env"], /--static-token-env needs a value/, /tripline mcp-setup --help/],
		[["mcp-setup", "--static-token-env", "--verify"], /--static-token-env needs a value/, /--help/],
		[["mcp-setup", "--static-token-env="], /--static-token-env needs a value/, /--help/],
	];
	for (const [argv, message, hint] of cases) {
		test(argv.join(" "), async () => {
			const { code, out, err } = await cli(argv);
			assert.equal(code, 2);
			assert.equal(out, "");
			const [first = "", second = ""] = err.split("\n");
			assert.match(first, /^tripline: /);
			assert.match(first, message);
			assert.match(second, /^ {2}\S/);
			assert.match(second, hint);
		});
	}
});

test("with --json an error is JSON on stdout too, with the same exit code", async () => {
	const { code, json, err } = await cli(["confg", "--json"]);
	assert.equal(code, 2);
	assert.deepEqual(json, {
		error: 'there is no command "confg"',
		hint: "did you mean: tripline config",
	});
	assert.match(err, /^tripline: there is no command/);
});

test("common flags may come before the command", async () => {
	const { code, json } = await cli(["--json", "config", "get", "namespace"]);
	assert.equal(code, 0);
	assert.equal((json as { value: string }).value, "default");
});

test("after two dashes there are no flags", async () => {
	const { code, err, out } = await cli(["config", "get", "--", "--help"]);
	assert.equal(code, 2);
	assert.equal(out, "");
	assert.match(err, /"--help" is not a setting/);
});

describe("an unexpected error", () => {
	const nowhere = { cwd: 42 as unknown as string, home: "/" };

	test("is one line and exit code 1", async () => {
		const { code, out, err } = await cli(["config"], { at: nowhere });
		assert.equal(code, 1);
		assert.equal(out, "");
		assert.match(err, /^tripline: unexpected error: [^\n]+\n {2}[^\n]*DEBUG=tripline[^\n]*\n$/);
	});

	test("includes the stack trace with DEBUG=tripline", async () => {
		const { err } = await cli(["config"], { at: nowhere, env: { DEBUG: "other,tripline" } });
		assert.match(err, /\n {4}at /);
	});
});

test("a service that does not answer is named with its address", async () => {
	const { code, err } = await cli(["auth-recipe", "list"]);
	assert.equal(code, 1);
	assert.match(err, /the executor at http:\/\/127\.0\.0\.1:1 does not answer/);
	assert.match(err, /tripline serve/);
});

describe("tables", () => {
	test("on a terminal are cut to its width, with a dim heading", async () => {
		const long = `http://127.0.0.1/${"a".repeat(200)}`;
		const { out } = await cli(["config", "--where"], {
			isTerminal: true,
			width: 60,
			env: { SERVICE_REGISTRY_URL: long },
			files: { "tripline.json": JSON.stringify({ namespace: "team" }) },
		});
		// biome-ignore lint/suspicious/noControlCharactersInRegex: these are terminal escape sequences.
		assert.match(out, /^\u001b\[2mSETTING/);
		assert.match(out, /…/);
	});

	test("have no colour with NO_COLOR", async () => {
		const { out } = await cli(["config"], { isTerminal: true, env: { NO_COLOR: "1" } });
		assert.ok(!out.includes("\u001b"));
	});

	test("show no control characters from elsewhere", async () => {
		const { out } = await cli(["config"], { env: { NAMESPACE: "a\u001b[31mb" } });
		assert.ok(!out.includes("\u001b"));
	});
});

const escapeRegExp = (text: string): string => text.replaceAll(/[.*+?^${}()|[\]\\]/g, "\\$&");
