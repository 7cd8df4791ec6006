import assert from "node:assert/strict";
import { mkdirSync, readdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, test } from "node:test";
import { startWithoutService } from "./world.ts";

const { cli, place } = startWithoutService();
/** Unsets the variables by which tests reach a service. */
const unset = { SERVICE_BASE_URL: undefined, SERVICE_MCP_URL: undefined, SERVICE_REGISTRY_URL: undefined };
const json = (value: unknown) => JSON.stringify(value);

/** Creates a place with some of the layers. */
function createLayers(layers: { env?: string; dotenv?: string; project?: string; global?: string }) {
	const at = place();
	if (layers.dotenv !== undefined) writeFileSync(join(at.cwd, ".env"), `SERVICE_MCP_URL=${layers.dotenv}\n`);
	if (layers.project !== undefined)
		writeFileSync(join(at.cwd, "tripline.json"), json({ mcp_url: layers.project }));
	if (layers.global !== undefined) {
		mkdirSync(join(at.home, ".config", "tripline"), { recursive: true });
		writeFileSync(join(at.home, ".config", "tripline", "config.json"), json({ mcp_url: layers.global }));
	}
	return { at, env: { ...unset, ...(layers.env === undefined ? {} : { SERVICE_MCP_URL: layers.env }) } };
}

describe("layers", () => {
	const all = {
		env: "https://env.example",
		dotenv: "https://dotenv.example",
		project: "https://project.example",
		global: "https://global.example",
	};
	const cases: [
		name: string,
		layers: Parameters<typeof createLayers>[0],
		value: string,
		layer: string,
		from: RegExp,
	][] = [
		["a real variable wins", all, all.env, "environment", /^SERVICE_MCP_URL$/],
		["then .env", { ...all, env: "" }, all.dotenv, "environment", /^SERVICE_MCP_URL in .*\/project\/\.env$/],
		[
			"then tripline.json",
			{ project: all.project, global: all.global },
			all.project,
			"project",
			/tripline\.json$/,
		],
		[
			"then the global file",
			{ global: all.global },
			all.global,
			"global",
			/\.config\/tripline\/config\.json$/,
		],
	];
	for (const [name, layers, value, layer, from] of cases) {
		test(name, async () => {
			const called = await cli(["config", "get", "mcp_url", "--json"], createLayers(layers));
			const said = called.json as { from: string };
			assert.deepEqual({ ...said, from: null }, { name: "mcp_url", value, layer, from: null });
			assert.match(said.from, from);
		});
	}

	test("then the default, which has no source", async () => {
		const called = await cli(["config", "get", "mcp_url", "--json"], createLayers({}));
		assert.deepEqual(called.json, {
			name: "mcp_url",
			value: "http://127.0.0.1:8484",
			layer: "default",
			from: null,
		});
	});

	test("XDG_CONFIG_HOME moves the global file", async () => {
		const at = place();
		const env = { ...unset, XDG_CONFIG_HOME: join(at.home, "elsewhere") };
		await cli(["config", "set", "namespace", "team", "--global"], { at, env });
		assert.equal((await cli(["config", "get", "namespace"], { at, env })).out, "team\n");
		assert.deepEqual(readdirSync(join(at.home, "elsewhere")), ["tripline"]);
	});
});

describe("config", () => {
	test("lists all settings with value and layer", async () => {
		const { code, out } = await cli(["config"], createLayers({ project: "https://project.example" }));
		assert.equal(code, 0);
		assert.match(out, /^SETTING +VALUE +LAYER$/m);
		assert.match(out, /^mcp_url +https:\/\/project\.example +project$/m);
		assert.match(out, /^namespace +default +default$/m);
		assert.match(out, /^account_id +\(not set\)$/m);
	});

	test("--where adds the file or variable", async () => {
		const layers = createLayers({ project: "https://project.example" });
		const { out } = await cli(["config", "--where"], { ...layers, env: { ...unset, NAMESPACE: "team" } });
		assert.match(out, /^mcp_url +https:\/\/project\.example +project +\/.*tripline\.json$/m);
		assert.match(out, /^namespace +team +environment +NAMESPACE$/m);
	});

	test("reports an invalid value", async () => {
		const { out } = await cli(["config"], { env: { ...unset, SERVICE_MCP_URL: "nonsense" } });
		assert.match(out, /^mcp_url must be an address.*: correct SERVICE_MCP_URL$/m);
	});

	test("never shows a password in an address or a partner key", async () => {
		const key = `tlk_${"k".repeat(32)}`;
		for (const flags of [[], ["--json"]]) {
			const { out } = await cli(["config", ...flags], {
				env: { ...unset, SERVICE_BASE_URL: "https://me:hidden@example.com", NAMESPACE: key },
			});
			assert.ok(!out.includes("hidden"));
			assert.ok(!out.includes(key));
		}
	});

	test("with a name does the same as config get", async () => {
		const layers = createLayers({ project: "https://project.example" });
		const { out } = await cli(["config", "mcp_url", "--where"], layers);
		assert.match(out, /^https:\/\/project\.example\n {2}project: .*tripline\.json\n$/);
	});
});

describe("config get", () => {
	test("prints the value and nothing else", async () => {
		assert.equal((await cli(["config", "get", "namespace"])).out, "default\n");
	});

	test("--where marks a default", async () => {
		assert.equal((await cli(["config", "get", "namespace", "--where"])).out, "default\n  the default\n");
	});

	test("fails if nothing is set", async () => {
		const { code, err } = await cli(["config", "get", "account_id"]);
		assert.equal(code, 1);
		assert.match(err, /account_id is not set\n {2}set CLOUDFLARE_ACCOUNT_ID/);
	});

	test("suggests the nearest setting", async () => {
		const { code, err } = await cli(["config", "get", "mpc_url"]);
		assert.equal(code, 2);
		assert.match(err, /"mpc_url" is not a setting\n {2}did you mean mcp_url\?/);
	});

	test("rejects names of Object.prototype", async () => {
		assert.equal((await cli(["config", "get", "constructor"])).code, 2);
	});
});

describe("config set", () => {
	test("writes tripline.json and keeps its other content and indentation", async () => {
		const at = place();
		writeFileSync(join(at.cwd, "tripline.json"), '{\n\t"namespace": "team",\n\t"later": 1\n}\n');
		const { code } = await cli(["config", "set", "mcp_url", "https://a.example/"], { at });
		assert.equal(code, 0);
		assert.equal(
			readFileSync(join(at.cwd, "tripline.json"), "utf8"),
			'{\n\t"namespace": "team",\n\t"later": 1,\n\t"mcp_url": "https://a.example"\n}\n',
		);
	});

	test("writes the global file with --global, and creates its folder", async () => {
		const { at, env } = createLayers({});
		const { code, out } = await cli(["config", "set", "namespace", "team", "--global"], { at, env });
		assert.equal(code, 0);
		assert.match(out, /^namespace is now team in .*\/\.config\/tripline\/config\.json\n$/);
		assert.equal((await cli(["config", "get", "namespace"], { at, env })).out, "team\n");
	});

	test("leaves no temporary file, and keeps a symbolic link", async () => {
		const { at, env } = createLayers({});
		writeFileSync(join(at.cwd, "shared.json"), "{}");
		symlinkSync("shared.json", join(at.cwd, "tripline.json"));
		await cli(["config", "set", "namespace", "team"], { at, env });
		assert.deepEqual(readdirSync(at.cwd).sort(), ["shared.json", "tripline.json"]);
		assert.match(readFileSync(join(at.cwd, "shared.json"), "utf8"), /team/);
	});

	test("keeps the mode of the file", async () => {
		const { at, env } = createLayers({});
		writeFileSync(join(at.cwd, "tripline.json"), "{}", { mode: 0o600 });
		await cli(["config", "set", "namespace", "team"], { at, env });
		assert.equal(statSync(join(at.cwd, "tripline.json")).mode & 0o777, 0o600);
	});

	test("changes nothing when repeated", async () => {
		const { at, env } = createLayers({});
		await cli(["config", "set", "namespace", "team"], { at, env });
		const { json: said } = await cli(["config", "set", "namespace", "team", "--json"], { at, env });
		assert.equal((said as { changed: boolean }).changed, false);
	});

	test("says that another layer takes precedence", async () => {
		const { at } = createLayers({});
		const { out } = await cli(["config", "set", "namespace", "team"], { at, env: { NAMESPACE: "other" } });
		assert.match(out, /but NAMESPACE \(environment\) takes precedence with other/);
	});

	const refused: [name: string, value: string, message: RegExp][] = [
		["mcp_url", "example.com", /mcp_url must be an address/],
		["mcp_url", "ftp://example.com", /must begin with https/],
		["mcp_url", "https://example.com/mcp", /must not end in \/mcp/],
		["mcp_url", "https://example.com/path", /must not have a path/],
		["base_url", "https://me:hidden@example.com", /must not have a user name or a password/],
		["base_url", "https://example.com/?a=1", /must not have a query/],
		["base_url", "", /must be an address/],
		["namespace", "a b", /namespace must be 1 to 64 letters/],
		["namespace", `tlk_${"k".repeat(32)}`, /a partner key is a secret/],
		["account_id", "a/b", /account_id must be/],
		["SERVICE_ACCESS_TOKEN", "hidden", /SERVICE_ACCESS_TOKEN is a secret/],
		["api-token", "hidden", /api-token is a secret/],
		["nonsense", "x", /"nonsense" is not a setting/],
	];
	for (const [name, value, message] of refused) {
		test(`refuses ${name} ${JSON.stringify(value)}`, async () => {
			const at = place();
			const { code, err } = await cli(["config", "set", name, value], { at });
			assert.equal(code, 2);
			assert.match(err, message);
			assert.ok(!err.includes("hidden"), "the value is not repeated");
			assert.deepEqual(readdirSync(at.cwd), []);
		});
	}

	test("says where a secret goes", async () => {
		const { err } = await cli(["config", "set", "api-token", "x"]);
		assert.match(err, /put API_TOKEN=\.\.\. into \.env \(chmod 600 \.env\) or into the environment/);
	});

	test("rejects a file with a misspelled setting and does not change it", async () => {
		const at = place();
		writeFileSync(join(at.cwd, "tripline.json"), json({ namespac: "team" }));
		const { code } = await cli(["config", "set", "namespace", "team"], { at });
		assert.equal(code, 1);
		assert.equal(readFileSync(join(at.cwd, "tripline.json"), "utf8"), json({ namespac: "team" }));
	});

	test("rejects a malformed file and does not change it", async () => {
		const at = place();
		writeFileSync(join(at.cwd, "tripline.json"), "{ broken");
		const { code, err } = await cli(["config", "set", "namespace", "team"], { at });
		assert.equal(code, 1);
		assert.match(err, /tripline\.json is not a JSON object/);
		assert.equal(readFileSync(join(at.cwd, "tripline.json"), "utf8"), "{ broken");
	});
});

describe("config unset", () => {
	test("removes one setting from tripline.json, keeps the rest, and prints the value that now applies", async () => {
		const { at, env } = createLayers({ global: "https://global.example" });
		writeFileSync(join(at.cwd, "tripline.json"), '{\n\t"mcp_url": "https://a.example",\n\t"later": 1\n}\n');
		const { code, out } = await cli(["config", "unset", "mcp_url"], { at, env });
		assert.equal(code, 0);
		assert.equal(readFileSync(join(at.cwd, "tripline.json"), "utf8"), '{\n\t"later": 1\n}\n');
		assert.match(
			out,
			/^mcp_url is no longer in .*tripline\.json\nit is now https:\/\/global\.example, from .*config\.json \(global\)\nto remove it there too: tripline config unset mcp_url --global\n$/,
		);
	});

	test("--global removes it from the global file, and the default applies", async () => {
		const { at, env } = createLayers({ global: "https://global.example" });
		const { json: said } = await cli(["config", "unset", "mcp_url", "--global", "--json"], { at, env });
		const path = join(at.home, ".config/tripline/config.json");
		const now = { value: "http://127.0.0.1:8484", layer: "default", from: null };
		assert.deepEqual(said, { name: "mcp_url", path, changed: true, ...now });
	});

	test("changes nothing and creates no file for a setting that is not there", async () => {
		const { at, env } = createLayers({});
		const { code, out } = await cli(["config", "unset", "account_id"], { at, env });
		assert.equal(code, 0);
		assert.match(out, /^account_id is not in .*tripline\.json\naccount_id is not set\n$/);
		assert.deepEqual(readdirSync(at.cwd), []);
	});

	test("suggests the nearest setting, and requires one", async () => {
		assert.match((await cli(["config", "unset", "mpc_url"])).err, /did you mean mcp_url\?/);
		assert.equal((await cli(["config", "unset"])).code, 2);
	});

	test("is in the help and in the completion", async () => {
		assert.match(
			(await cli(["config", "unset", "--help"])).out,
			/usage: tripline config unset <name> \[flags\]/,
		);
		assert.match((await cli(["completion", "bash"])).out, /'config'\) words='get set unset'/);
	});
});

describe("a config file", () => {
	test("with an unknown setting is rejected with a suggestion", async () => {
		const { code, err } = await cli(["config", "get", "mcp_url"], {
			files: { "tripline.json": json({ mcp_ulr: "https://a.example" }) },
			env: unset,
		});
		assert.equal(code, 1);
		assert.match(err, /"mcp_ulr" is not a setting\n {2}did you mean mcp_url\?/);
	});

	test("with a value that is not a string is rejected", async () => {
		const { code, err } = await cli(["config", "get", "namespace"], {
			files: { "tripline.json": json({ namespace: 7 }) },
		});
		assert.equal(code, 1);
		assert.match(err, /namespace must be a string/);
	});

	test("with an invalid address fails the command and names the file", async () => {
		const { code, err } = await cli(["mcp-setup"], {
			files: { "tripline.json": json({ mcp_url: "nonsense" }) },
			env: unset,
		});
		assert.equal(code, 1);
		assert.match(err, /mcp_url must be an address.*\n {2}correct .*tripline\.json/);
	});
});
