import assert from "node:assert/strict";
import { availableParallelism } from "node:os";
import { describe, test } from "node:test";
import { countProcesses, listEmptySettings, parseSettings, StartProblem } from "../src/settings.ts";

const catchProblem = (variables: Record<string, string>): string => {
	try {
		parseSettings(variables);
	} catch (error) {
		assert.ok(error instanceof StartProblem);
		assert.doesNotMatch(error.message, /\n/);
		return error.message;
	}
	return assert.fail(`accepted ${JSON.stringify(variables)}`);
};

describe("settings", () => {
	test("without settings the local defaults apply", () => {
		const settings = parseSettings({});
		assert.equal(settings.HOST, "127.0.0.1");
		assert.equal(settings.PORT, 8484);
		assert.equal(settings.STORE_PORT, 8485);
		assert.equal(settings.DATA_DIR, "./data");
		assert.equal(settings.MULTI_TENANT, false);
		assert.equal(settings.NAMESPACE, "default");
		assert.equal(settings.EXECUTION_RETENTION_DAYS, 30);
		assert.equal(settings.EXECUTION_LOG_DAILY_WRITE_LIMIT, 20_000);
		assert.equal(settings.MAX_BODY_BYTES, 1_048_576);
		assert.equal(settings.FILE_RETENTION_HOURS, 24);
	});

	test("MULTI_TENANT can be set", () => {
		assert.equal(parseSettings({ MULTI_TENANT: "true" }).MULTI_TENANT, true);
		assert.equal(parseSettings({ MULTI_TENANT: "false" }).MULTI_TENANT, false);
	});

	test("a bad value gives one line with the setting and its valid values", () => {
		const bad: [string, string[]][] = [
			["PORT", ["abc", "-1", "65536", "80.5", "0x50"]],
			["STORE_PORT", ["99999"]],
			["HOST", ["a b", "http://x"]],
			["BASE_URL", ["example.org", "ftp://example.org", "https://example.org/?q=1"]],
			["MULTI_TENANT", ["yes", "TRUE", "1", " "]],
			["NAMESPACE", ["-x", "a/b", "x".repeat(65)]],
			["MCP_OWNER_SECRET", ["short"]],
			["OAUTH_KV", ["maybe"]],
			["STORE_INTERNAL_TOKEN", ["short"]],
			["SERVICE_ACCESS_TOKEN", ["short"]],
			["EXECUTION_RETENTION_DAYS", ["0", "-1", "1.5", "forever"]],
			["EXECUTION_LOG_DAILY_WRITE_LIMIT", ["-1", "many"]],
			["MAX_BODY_BYTES", ["0", "1e6"]],
			["FILE_RETENTION_HOURS", ["0", "-1", "1.5", "8761", "1d"]],
			["MAX_FILE_BYTES", ["0", "100MB", "10737418241"]],
			["MAX_FILES_BYTES", ["0", "1048575", "1GiB"]],
			["ALLOW_FOLDERS", ["orders", "/srv,./x", "~/files"]],
			["LOG_LEVEL", ["loud"]],
			[
				"FILES_S3_URL",
				[
					...["bucket", "s3://bucket", "https://s3.example.com", "https://s3.example.com/", "https://x/a//b"],
					...[
						"https://x/bucket?canary=1",
						"https://x/bucket#a",
						"https://me:canary@x/bucket",
						"https://x/a/../b",
					],
					...["http://s3.example.com/bucket", "http://203.0.114.1/bucket", "http://[2606:4700::1]/bucket"],
				],
			],
			["FILES_S3_REGION", ["eu central", "eu/central"]],
			["FILES_S3_ACCESS_KEY_ID", ["AKID canary", "AKID/canary", "AKID,canary"]],
			["FILES_S3_SECRET_ACCESS_KEY", ["canary", "canary canary"]],
			["PROCESSES", ["0", "65", "1.5", "-1", "all", "AUTO"]],
			["STORE_INGEST_URL", ["example.org", "ftp://example.org", "https://x/#a", "https://me:canary@x/?q=1"]],
			["MCP_ALLOWED_REDIRECT_HOSTS", ["claude.ai,canary example", "https://canary.example"]],
			["ALLOW_PRIVATE_HOSTS", ["10.0.0.0/8, canary example", "10.0.0.0/99"]],
		];
		for (const [name, values] of bad) {
			for (const value of values) assert.match(catchProblem({ [name]: value }), new RegExp(`^${name} must `));
			for (const value of values) assert.doesNotMatch(catchProblem({ [name]: value }), /canary/);
		}
	});

	test("several processes need PostgreSQL, and auto means one without it", () => {
		const shared = {
			DATABASE_URL: "postgres://localhost/tripline",
			MASTER_KEY: "a key",
			MCP_OWNER_SECRET: "the owner's long secret",
		};
		const count = (variables: Record<string, string>) => countProcesses(parseSettings(variables));
		assert.equal(count({}), 1);
		assert.equal(count({ PROCESSES: "1" }), 1);
		assert.equal(count({ PROCESSES: "auto" }), 1);
		assert.match(catchProblem({ PROCESSES: "2" }), /^PROCESSES is 2, .*: set DATABASE_URL /);
		assert.equal(count({ ...shared }), 1);
		assert.equal(count({ ...shared, PROCESSES: "64" }), 64);
		assert.equal(count({ ...shared, PROCESSES: "auto" }), Math.min(availableParallelism(), 64));
	});

	test("a bad entry in a list is named by its position", () => {
		assert.match(
			catchProblem({ MCP_ALLOWED_REDIRECT_HOSTS: "a.example, +b_c.example" }),
			/: entry 2 is not a host name$/,
		);
		assert.match(catchProblem({ ALLOW_PRIVATE_HOSTS: "a.example,,10.0.0.0/99" }), /: entry 3 is invalid$/);
		assert.match(catchProblem({ ALLOW_FOLDERS: "/srv,,orders" }), /: entry 3 is not absolute$/);
	});

	test("a bearer secret must be a valid header value", () => {
		for (const name of [
			"MCP_STATIC_TOKEN",
			"SERVICE_ACCESS_TOKEN",
			"STORE_INTERNAL_TOKEN",
			"REGISTRY_ADMIN_TOKEN",
			"METRICS_TOKEN",
		]) {
			for (const value of [
				"canary 0123456789abcdef",
				"canary0123456789abcdef\n",
				" canary0123456789abcdef",
				"canary0123456789\u0000",
				"canary0123456789\u007f",
				"canary0123456789é",
				"canary0123456789\u{1f600}",
			]) {
				const line = catchProblem({ [name]: value });
				assert.match(line, new RegExp(`^${name} must .*header.*: create one with openssl rand -hex 24$`));
				assert.doesNotMatch(line, /canary/);
			}
			parseSettings({ [name]: "!\"#$%&'()*+,-./:;<=>?@[\\]^_`{|}~aZ9" });
		}
		parseSettings({ MCP_OWNER_SECRET: "it is typed, so spaces and ü are fine" });
	});

	test("an empty setting counts as unset, and its name is reported", () => {
		const withoutDefaults = [
			...[
				"BASE_URL",
				"MCP_URL",
				"STORE_BASE_URL",
				"EXECUTOR_BASE_URL",
				"REGISTRY_BASE_URL",
				"STORE_INGEST_URL",
			],
			...["STORE_INTERNAL_TOKEN", "SERVICE_ACCESS_TOKEN", "REGISTRY_ADMIN_TOKEN", "MCP_STATIC_TOKEN"],
			"METRICS_TOKEN",
			...["EMBED_URL", "EMBED_MODEL", "EMBED_API_KEY", "MCP_OWNER_NAMESPACE", "MASTER_KEY_FILE"],
			...["RATE_LIMIT_PER_MINUTE", "MAX_FILE_BYTES", "MAX_FILES_BYTES", "FILES_DIR"],
			...["FILES_S3_URL", "FILES_S3_REGION", "FILES_S3_ACCESS_KEY_ID", "FILES_S3_SECRET_ACCESS_KEY"],
		];
		const names = [...Object.keys(parseSettings({})), ...withoutDefaults];
		const all = Object.fromEntries(names.map((name) => [name, ""]));
		assert.deepEqual(parseSettings(all), parseSettings({}));
		assert.deepEqual(
			listEmptySettings({ MCP_STATIC_TOKEN: "", NAMESPACE: "", PATH: "", PORT: "1", toString: "" }),
			["NAMESPACE", "MCP_STATIC_TOKEN"],
		);
	});

	test("a setting for which empty is a value keeps it", () => {
		const variables = {
			MCP_OWNER_SECRET: "",
			MCP_ALLOWED_REDIRECT_HOSTS: "",
			ALLOW_PRIVATE_HOSTS: "",
			ALLOW_FOLDERS: "",
		};
		assert.deepEqual(listEmptySettings(variables), []);
		assert.equal(parseSettings(variables).MCP_OWNER_SECRET, "");
	});

	test("ALLOW_FOLDERS is a list separated by commas", () => {
		assert.deepEqual(parseSettings({ ALLOW_FOLDERS: " /srv/a b ,/srv/c," }).ALLOW_FOLDERS, [
			"/srv/a b",
			"/srv/c",
		]);
	});

	test("an empty token counts as no token", () => {
		assert.match(catchProblem({ HOST: "0.0.0.0", SERVICE_ACCESS_TOKEN: "" }), /set SERVICE_ACCESS_TOKEN/);
		assert.match(
			catchProblem({ STORE_HOST: "0.0.0.0", STORE_INTERNAL_TOKEN: "" }),
			/set STORE_INTERNAL_TOKEN/,
		);
	});

	test("an ingest address may have a query", () => {
		const url = "https://example.org/ingest/?source=1";
		assert.equal(parseSettings({ STORE_INGEST_URL: url }).STORE_INGEST_URL, url);
	});

	test("a bad secret is not repeated", () => {
		assert.doesNotMatch(catchProblem({ STORE_INTERNAL_TOKEN: "hunter2" }), /hunter2/);
	});

	test("the owner secret may be empty, which means not configured", () => {
		assert.equal(parseSettings({ MCP_OWNER_SECRET: "" }).MCP_OWNER_SECRET, "");
	});

	test("a store that others can reach needs a token", () => {
		assert.match(catchProblem({ STORE_HOST: "0.0.0.0" }), /set STORE_INTERNAL_TOKEN/);
		parseSettings({ STORE_HOST: "0.0.0.0", STORE_INTERNAL_TOKEN: "0123456789abcdef" });
		parseSettings({ STORE_HOST: "::1" });
	});

	test("a self-hosted service that others can reach needs an access token", () => {
		assert.match(catchProblem({ HOST: "0.0.0.0" }), /set SERVICE_ACCESS_TOKEN/);
		assert.match(catchProblem({ HOST: "192.0.2.1", MULTI_TENANT: "false" }), /set SERVICE_ACCESS_TOKEN/);
		assert.match(catchProblem({ BASE_URL: "https://example.org" }), /BASE_URL .* set SERVICE_ACCESS_TOKEN/);
		assert.match(catchProblem({ MCP_URL: "https://example.org" }), /MCP_URL .* set SERVICE_ACCESS_TOKEN/);
		assert.doesNotMatch(catchProblem({ BASE_URL: "https://me:canary@example.org/canary" }), /canary/);
		parseSettings({ HOST: "0.0.0.0", SERVICE_ACCESS_TOKEN: "0123456789abcdef" });
		parseSettings({ MCP_URL: "https://example.org", SERVICE_ACCESS_TOKEN: "0123456789abcdef" });
		parseSettings({ MCP_URL: "http://localhost:9000", BASE_URL: "http://[::1]:9000" });
		parseSettings({ HOST: "0.0.0.0", MULTI_TENANT: "true" });
		parseSettings({ HOST: "127.0.0.2" });
	});

	test("a bucket is set with all that it needs, or not at all", () => {
		const bucket = {
			FILES_S3_URL: "https://s3.eu-central-1.amazonaws.com/bucket/prefix",
			FILES_S3_ACCESS_KEY_ID: "AKIDcanary",
			FILES_S3_SECRET_ACCESS_KEY: "canary/secret+key",
		};
		parseSettings(bucket);
		for (const missing of Object.keys(bucket)) {
			const line = catchProblem({ ...bucket, [missing]: "" });
			assert.match(line, new RegExp(`^FILES_S3_[A-Z_]+ is set, and ${missing} is not: `));
			assert.doesNotMatch(line, /canary/);
		}
		assert.match(
			catchProblem({ FILES_S3_REGION: "eu-central-1" }),
			/^FILES_S3_REGION is set, and FILES_S3_URL/,
		);
		assert.match(catchProblem({ ...bucket, FILES_DIR: "/srv/files" }), /^FILES_DIR cannot be combined/);
	});

	test("a bucket is called by http only on a private host", () => {
		const keys = { FILES_S3_ACCESS_KEY_ID: "AKID", FILES_S3_SECRET_ACCESS_KEY: "0123456789" };
		for (const host of [
			...["127.0.0.1:9000", "localhost", "[::1]:9000", "10.1.2.3", "192.168.1.1:9000", "[fd00::1]"],
			...["minio:9000", "minio.internal", "minio.storage.svc.cluster.local"],
		])
			parseSettings({ ...keys, FILES_S3_URL: `http://${host}/bucket` });
		parseSettings({ ...keys, FILES_S3_URL: "https://s3.example.com:8443/bucket/" });
	});

	test("an address may carry a trailing slash", () => {
		assert.equal(parseSettings({ BASE_URL: "http://localhost:80/" }).BASE_URL, "http://localhost:80");
	});
});
