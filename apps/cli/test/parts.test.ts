import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { startWorld } from "./world.ts";

const world = await startWorld();

interface Part {
	readonly id: string;
	readonly source: string;
}

const readParts = (json: unknown): readonly Part[] => (json as { parts: Part[] }).parts;

for (const command of ["components", "parts"]) {
	test(`${command} search and show give the same`, async () => {
		const search = await world.cli([command, "search", "text", "--json"]);
		assert.ok(readParts(search.json).some(({ id }) => id === "template"));
		const { code, out } = await world.cli([command, "show", "template"]);
		assert.equal(code, 0);
		assert.match(out, /^template \S+ \(built-in\)/);
	});
}

describe("parts search", () => {
	test("lists components that are built in, from recipes and in the registry in one table", async () => {
		const { code, out, err } = await world.cli(["parts", "search", "text"]);
		assert.equal(code, 0, err);
		assert.match(out, /^COMPONENT +VERSION +SOURCE +WHAT IT DOES$/m);
		assert.match(out, /^template +\S+ +built-in /m);
		assert.match(out, /^deepl +\S+ +registry /m);
		const { json } = await world.cli(["parts", "search", "message", "--json"]);
		assert.ok(readParts(json).some(({ id, source }) => id === "slack.post_message" && source === "recipe"));
	});

	test("requires all words, and ranks matches in the name first", async () => {
		const { json } = await world.cli(["parts", "search", "GitHub", "issue", "--json"]);
		const ids = readParts(json).map(({ id }) => id);
		assert.match(ids[0] ?? "", /^github\..*issue/);
		assert.ok(!ids.includes("template"));
	});

	for (const source of ["built-in", "recipe", "registry"]) {
		test(`--source ${source} shows nothing else`, async () => {
			const { json } = await world.cli(["parts", "search", "--source", source, "--json"]);
			assert.deepEqual([...new Set(readParts(json).map((part) => part.source))], [source]);
		});
	}

	test("lists an installed component once, as installed", async () => {
		const env = { NAMESPACE: "installed" };
		await world.cli(["parts", "install", "slugify", "--yes"], { env });
		const { json } = await world.cli(["parts", "search", "slug", "--json"], { env });
		assert.deepEqual(
			readParts(json).map(({ id, source }) => ({ id, source })),
			[{ id: "slugify", source: "installed" }],
		);
	});

	test("says that nothing matches", async () => {
		const { code, out } = await world.cli(["parts", "search", "zzqqy"]);
		assert.equal(code, 0);
		assert.match(out, /no component matches zzqqy/);
	});

	test("lists local components if the registry does not answer, and says so", async () => {
		const env = { SERVICE_REGISTRY_URL: "http://127.0.0.1:1" };
		const { code, out } = await world.cli(["parts", "search", "template"], { env });
		assert.equal(code, 0);
		assert.match(out, /^template /m);
		assert.match(out, /The registry did not answer/);
		const asked = await world.cli(["parts", "search", "--source", "registry"], { env });
		assert.equal(asked.code, 1);
	});

	test("rejects an unknown source", async () => {
		const { code, err } = await world.cli(["parts", "search", "--source", "market"]);
		assert.equal(code, 2);
		assert.match(err, /must be one of built-in, recipe, installed, mcp, registry/);
	});
});

describe("parts show", () => {
	test("shows parameters, output, an example, hosts and credentials of a built-in component", async () => {
		const { code, out, err } = await world.cli(["parts", "show", "http_request"]);
		assert.equal(code, 0, err);
		assert.match(out, /^http_request \S+ \(built-in\)/);
		assert.match(out, /^ {2}url +text +required/m);
		assert.match(out, /^output:/m);
		assert.match(out, /^example: .+\n {2}component: http_request\n {2}url: "/m);
		assert.match(out, /^credentials +any auth recipe$/m);
	});

	test("shows a recipe's operation with its auth recipe, and the recipe with its operations", async () => {
		const { out } = await world.cli(["parts", "show", "github.create_issue"]);
		assert.match(out, /^calls +api\.github\.com$/m);
		assert.match(out, /^credentials +github/m);
		const group = await world.cli(["parts", "show", "github"]);
		assert.match(group.out, /^github has \d+ operations:$/m);
		assert.match(group.out, /^ {2}github\.create_issue /m);
	});

	test("shows a component of the registry with its versions and their hashes", async () => {
		const { out } = await world.cli(["parts", "show", "slugify"]);
		assert.match(out, /^slugify \S+ \(registry\)/);
		assert.match(out, /^ {2}text +text +required/m);
		assert.match(out, /^versions:\n {2}\d+\.\d+\.\d+ .*sha256 [0-9a-f]{64}$/m);
		const recipe = await world.cli(["parts", "show", "todoist"]);
		assert.match(recipe.out, /^todoist\.\w+: /m);
		assert.match(recipe.out, /^calls +api\.todoist\.com$/m);
	});

	test("suggests the nearest id for an unknown one", async () => {
		const { code, err } = await world.cli(["parts", "show", "http_reqest"]);
		assert.equal(code, 1);
		assert.match(err, /there is no component "http_reqest".*\n {2}did you mean: http_request/);
	});
});

describe("parts install", () => {
	const listInstalled = async (namespace: string) => {
		const { json } = await world.cli(["parts", "search", "--source", "installed", "--json"], {
			env: { NAMESPACE: namespace },
		});
		return readParts(json).map(({ id }) => id);
	};

	test("shows hosts and credentials, asks, and installs a pinned version", async () => {
		const asked: string[] = [];
		const answer = (question: string) => {
			asked.push(question);
			return "yes";
		};
		const env = { NAMESPACE: "asked" };
		const { code, out, err } = await world.cli(["parts", "install", "todoist"], { answer, env });
		assert.equal(code, 0, err);
		assert.match(err, /calls +api\.todoist\.com\n +credentials +\S+/);
		assert.match(asked[0] ?? "", /^install todoist \d+\.\d+\.\d+\? /);
		assert.match(out, /pinned by sha256 [0-9a-f]{64}\nnodes can run: todoist\./);
		assert.ok((await listInstalled("asked")).every((id) => id.startsWith("todoist.")));
		const recipe = /--recipe (\S+)/.exec(out)?.[1] ?? "";
		const list = await world.cli(["auth-recipe", "list", "--json"], { env });
		const known = (list.json as { auth_recipes: { id: string }[] }).auth_recipes.map(({ id }) => id);
		assert.ok(known.includes(recipe), recipe);
	});

	test("installs nothing without consent", async () => {
		const env = { NAMESPACE: "refused" };
		const refused = await world.cli(["parts", "install", "todoist"], { answer: () => "n", env });
		assert.equal(refused.code, 1);
		const unattended = await world.cli(["parts", "install", "todoist"], { env });
		assert.equal(unattended.code, 2);
		assert.match(
			unattended.err,
			/Not a terminal; pass --yes\n {2}.*tripline components install todoist@\S+ --yes/,
		);
		assert.deepEqual(await listInstalled("refused"), []);
	});

	test("installs the requested version, with --yes and --json", async () => {
		const env = { NAMESPACE: "named" };
		const { versions } = (await world.cli(["parts", "show", "slugify", "--json"])).json as {
			versions: { version: string; sha256: string }[];
		};
		const [{ version: newest, sha256: hash } = { version: "", sha256: "" }] = versions;
		const argv = ["parts", "install", `slugify@${newest}`, "--yes", "--json"];
		const { code, json } = await world.cli(argv, { env });
		assert.equal(code, 0);
		const { version, sha256, components } = json as Record<string, unknown>;
		assert.deepEqual(
			{ version, sha256, components },
			{ version: newest, sha256: hash, components: ["slugify"] },
		);
	});

	test("rejects content that does not match the registry's hash", async () => {
		const fetchFalse = async (request: Request, init?: { readonly signal: AbortSignal }) => {
			const response = await fetch(request, init);
			if (!request.url.endsWith("/registry/components/slugify")) return response;
			const told = (await response.json()) as Record<string, unknown>;
			return Response.json({ ...told, sha256: "0".repeat(64) });
		};
		const { code } = await world.cli(["parts", "install", "slugify", "--yes"], {
			fetch: fetchFalse,
			env: { NAMESPACE: "false" },
		});
		assert.equal(code, 1);
		assert.deepEqual(await listInstalled("false"), []);
	});

	test("lists the existing versions, and suggests the nearest component", async () => {
		const version = await world.cli(["parts", "install", "slugify@9.9.9", "--yes"]);
		assert.equal(version.code, 1);
		assert.match(version.err, /slugify has no version 9\.9\.9\n {2}its versions: \d/);
		const component = await world.cli(["parts", "install", "slugfy", "--yes"]);
		assert.match(component.err, /did you mean: slugify/);
		assert.equal((await world.cli(["parts", "install", "slugify@", "--yes"])).code, 2);
	});

	test("prints text from a registry without control characters", async () => {
		const fetchHostile = async (request: Request, init?: { readonly signal: AbortSignal }) => {
			const response = await fetch(request, init);
			const text = await response.text();
			const { status } = response;
			return new Response(text.replaceAll("Slug of a text", "Slug\\u001b[2J\\u202e of"), { status });
		};
		const { err } = await world.cli(["parts", "install", "slugify"], { fetch: fetchHostile });
		assert.match(err, /Slug \[2J {2}of/);
	});
});
