import assert from "node:assert/strict";
import { chmodSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, test } from "node:test";
import { startWorld } from "./world.ts";

const TOKEN = "an-access-token-for-tests-of-32-characters";
const { cli, place } = await startWorld({ SERVICE_ACCESS_TOKEN: TOKEN });
const withToken = { SERVICE_ACCESS_TOKEN: TOKEN };

const GREET = `name: greet
description: Says hello
version: "1"
triplets:
  - input >> ON_SUCCESS >> hello
config:
  hello: { component: template, text: "Hello {{input.name}}" }
`;
const BOM = "\uFEFF";
const CREDENTIAL =
	"CRM__AUTH_RECIPE=bearer_token\nCRM__HOST=api.example.com\nCRM__TOKEN=a-token-of-some-length\n";
const toWindows = (text: string) => BOM + text.replaceAll("\n", "\r\n");

/** One file of each kind, shared by all tests. */
const at = place();
for (const folder of ["folder", "empty"]) mkdirSync(join(at.cwd, folder));
const written: Readonly<Record<string, string | Uint8Array>> = {
	"windows.yaml": toWindows(GREET),
	"windows.json": toWindows('{ "name": "Ada" }\n'),
	"windows.env": toWindows(CREDENTIAL),
	"folder/greet.yaml": GREET,
	"folder/picture.yaml": Uint8Array.of(0x89, 0x50, 0x4e, 0x47, 0, 0, 0),
	"picture.yaml": Uint8Array.of(0x89, 0x50, 0x4e, 0x47, 0, 0, 0),
	"zero.json": "{\0}",
	"large.yaml": `${GREET}${"# one line of many\n".repeat(280_000)}`,
	"large.json": JSON.stringify({ name: "x".repeat(5_000_000) }),
};
for (const [path, content] of Object.entries(written)) {
	writeFileSync(join(at.cwd, path), content);
	chmodSync(join(at.cwd, path), 0o600);
}

const callCli = (argv: readonly string[]) => cli(argv, { at, env: withToken });

describe("files written by Windows editors", () => {
	test("are workflow documents, input and credentials", async () => {
		assert.match(
			(await callCli(["push", "windows.yaml"])).out,
			/^greet +windows\.yaml +(?:created|unchanged)$/m,
		);
		assert.equal((await callCli(["run", "greet", "--input", "@windows.json"])).out, "Hello Ada\n");
		assert.match((await callCli(["creds", "push", "windows.env"])).out, /^crm +bearer_token +created$/m);
	});
});

describe("a file that cannot be used is reported", () => {
	const folder = / is a folder\n {2}\S/;
	const noText = / is not a text file in UTF-8\n {2}.*save it as UTF-8/;
	const tooLarge = /too large for the service: the body is larger than 1048576 bytes/;
	const cases: readonly (readonly [argv: string, told: RegExp])[] = [
		["push empty", /no workflow document in empty\n {2}a workflow document is YAML or JSON/],
		["push nothing.yaml", /nothing\.yaml does not exist/],
		["push picture.yaml", noText],
		["push large.yaml", tooLarge],
		["validate zero.json", noText],
		["run --file folder", folder],
		["run greet --input @folder", folder],
		["run greet --input @picture.yaml", noText],
		["run greet --input @large.json", tooLarge],
		["webhooks create picture.yaml", noText],
		["webhooks create large.yaml", tooLarge],
		["auth-recipe push folder", folder],
		["auth-recipe push picture.yaml", noText],
		["creds push folder", folder],
		["creds push nothing", /there is no file nothing/],
		["creds push picture.yaml", noText],
		["creds push", /there is no file credentials\.yaml\n {2}name another/],
	];
	for (const [argv, told] of cases) {
		test(argv, async () => {
			const { code, out, err } = await callCli(argv.split(" "));
			assert.notEqual(code, 0);
			assert.match(out + err, told);
			assert.doesNotMatch(out + err, /unexpected|EISDIR|\0|�/);
		});
	}

	test("is skipped in a folder, and named", async () => {
		const { code, err } = await callCli(["validate", "folder"]);
		assert.equal(code, 0);
		assert.match(err, /^folder\/picture\.yaml: not a workflow document, skipped$/m);
	});
});

describe("the access token", () => {
	test("is asked for if it is missing", async () => {
		const { code, err } = await cli(["executions"]);
		assert.equal(code, 1);
		assert.match(err, /the service at http\S+ needs an access token\n {2}set SERVICE_ACCESS_TOKEN/);
	});

	test("is reported if it is wrong, with its location", async () => {
		const env = { SERVICE_ACCESS_TOKEN: "another-one" };
		const wrong = await cli(["executions"], { env });
		assert.match(wrong.err, /rejected the access token\n {2}SERVICE_ACCESS_TOKEN in the environment is not/);
		const files = { ".env": "SERVICE_ACCESS_TOKEN=another-one\n" };
		const { err } = await cli(["executions"], { files });
		assert.match(err, /rejected the access token\n {2}SERVICE_ACCESS_TOKEN in \.env is not/);
		assert.ok(!err.includes("another-one"));
	});
});

test("executions show rejects an invalid id", async () => {
	const { code, err } = await callCli(["executions", "show", "nonsense"]);
	assert.equal(code, 1);
	assert.match(err, /there is no execution "nonsense"\n {2}tripline executions lists/);
});

test("config files may begin with a byte order mark, and a folder in their place is reported", async () => {
	const { cwd, home } = place();
	writeFileSync(join(cwd, "tripline.json"), toWindows('{ "namespace": "team" }\n'));
	assert.equal((await cli(["config", "get", "namespace"], { at: { cwd, home } })).out, "team\n");
	mkdirSync(join(cwd, ".env"));
	assert.match((await cli(["config"], { at: { cwd, home } })).err, /\.env is a folder\n/);
});
