import assert from "node:assert/strict";
import { globSync, readFileSync } from "node:fs";
import { dirname, normalize } from "node:path";
import { describe, test } from "node:test";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("..", import.meta.url));

interface Source {
	readonly path: string;
	readonly imports: readonly string[];
	readonly text: string;
}

const sources: readonly Source[] = globSync("{packages,services,apps}/*/src/**/*.{ts,tsx}", {
	cwd: root,
}).map((path) => {
	const text = readFileSync(root + path, "utf8");
	return { path, text, imports: parseImports(text) };
});

function parseImports(text: string): string[] {
	const statements = text.matchAll(/\bfrom\s+"([^"]+)"|^import\s+"([^"]+)"|\bimport\(\s*"([^"]+)"/gm);
	return [...statements].map(([, from, bare, dynamic]) => from ?? bare ?? dynamic ?? "");
}

const IMPURE =
	/\b(?:setTimeout|setInterval|setImmediate|fetch)\(|\bDate\.now\b|new Date\(\)|Math\.random|crypto\.(?:getRandomValues|randomUUID)/;

/** Imports that break the rule, as `file: import`. */
const findOffenders = (
	files: (source: Source) => boolean,
	forbidden: (name: string, source: Source) => boolean,
) =>
	sources
		.filter(files)
		.flatMap((source) =>
			source.imports.filter((name) => forbidden(name, source)).map((name) => `${source.path}: ${name}`),
		);

const under = (folder: string) => (source: Source) => source.path.startsWith(`${folder}/`);
const getService = (path: string) => /^services\/([^/]+)\//.exec(path)?.[1];

describe("boundaries", () => {
	test("the scan sees imports", () => {
		assert.ok(sources.length > 40);
		assert.deepEqual(
			parseImports('import a from "x";\nimport {\n\tb,\n} from "y";\nexport * from "z";\nimport("w")'),
			["x", "y", "z", "w"],
		);
	});

	test("contract imports only zod and uses nothing specific to Node", () => {
		const found = findOffenders(
			under("packages/contract"),
			(name) => name !== "zod" && !/^\.\.?\/[^.]/.test(name),
		);
		assert.deepEqual(found, []);
		const naming = sources
			.filter(under("packages/contract"))
			.filter(({ text }) => /\b(Buffer|process)\b[.(]/.test(text));
		assert.deepEqual(naming, []);
	});

	test("the engine imports only the contract and five pure libraries", () => {
		const libraries = ["zod", "yaml", "croner", "@marcbachmann/cel-js", "@noble/hashes/sha2.js"];
		const found = findOffenders(
			under("packages/engine"),
			(name) => !name.startsWith(".") && !name.startsWith("@tripline/contract/") && !libraries.includes(name),
		);
		assert.deepEqual(found, []);
	});

	test("components import only the engine, the contract, seven ports and two pure libraries: they act through effects", () => {
		const found = findOffenders(
			under("packages/components"),
			(name) =>
				!name.startsWith(".") &&
				!/^@tripline\/(?:(?:contract|engine)\/|platform\/(?:databases|folders|http|mail|mailboxes|pdf|sandbox)$)/.test(
					name,
				) &&
				name !== "zod" &&
				name !== "acorn",
		);
		assert.deepEqual(found, []);
	});

	test("only platform adapters, apps and Workers entries import node:* or cloudflare:*", () => {
		const found = findOffenders(
			({ path }) => !/^(?:packages\/platform|apps)\//.test(path) && !path.endsWith("/cloudflare.ts"),
			(name) => /^(?:node|cloudflare):/.test(name),
		);
		assert.deepEqual(found, []);
	});

	test("the file of a port imports no platform", () => {
		const isPort = ({ path }: Source) => /^packages\/platform\/src\/[a-z-]+\.ts$/.test(path);
		assert.deepEqual(
			findOffenders(isPort, (name) =>
				/^(?:node|cloudflare):|\.(?:sqlite|d1|postgres|folder|bucket|s3|node|workers)\.ts$/.test(name),
			),
			[],
		);
	});

	test("a service imports another service only through its client", () => {
		const found = findOffenders(under("services"), (name, { path }) => {
			const other = /^@tripline\/(store|executor|mcp|registry)\/(.*)$/.exec(name);
			return other !== null && other[1] !== getService(path) && other[2] !== "client";
		});
		assert.deepEqual(found, []);
	});

	test("the command line uses services only through their clients, and never the store", () => {
		const exceptions: Readonly<Record<string, string>> = {
			"@tripline/executor/domain/saved-workflow":
				"push: the document that the service would make of a file, to show what changes",
			"@tripline/executor/domain/line-diff": "diff --file: compares a file as the service compares versions",
			"@tripline/executor/domain/node-changes": "diff --file: the nodes that a file changes",
			"@tripline/executor/catalogue/tenant-catalogue":
				"validate --local: components of the recipes that come along",
			"@tripline/mcp/connect/verify": "mcp-setup --verify: plays a client, by HTTP only",
			"@tripline/registry/settings": "init: the key-value namespaces that the registry requires",
		};
		const ofServices = sources
			.filter(under("apps/cli"))
			.flatMap(({ path, imports }) => imports.map((name) => ({ path, name })))
			.filter(({ name }) => /^@tripline\/(?:store|executor|mcp|registry|node)\//.test(name));
		const found = ofServices.filter(
			({ name }) => !/\/(?:executor|registry)\/client$/.test(name) && exceptions[name] === undefined,
		);
		assert.deepEqual(found, []);
		const unused = Object.keys(exceptions).filter((name) => !ofServices.some((each) => each.name === name));
		assert.deepEqual(unused, [], "an exception that is not needed is gone");
	});

	test("the console imports types, and of code only what the contract has without a library", () => {
		const findModule = (path: string) => sources.find((each) => each.path === path);
		const isAlone = (name: string): boolean =>
			name.startsWith("@tripline/contract/") &&
			needsNoLibrary(name.replace("@tripline/contract/", "packages/contract/src/").concat(".ts"));
		const needsNoLibrary = (path: string): boolean =>
			[...(findModule(path)?.text ?? 'import "?"').matchAll(/^import (?!type)[^;]*?"([^"]+)"/gm)].every(
				([, name = ""]) => name.startsWith("./") && needsNoLibrary(normalize(`${dirname(path)}/${name}`)),
			);
		const code = sources
			.filter(under("apps/console"))
			.flatMap(({ path, text }) =>
				[...text.matchAll(/^(?:import|export)(?! type)[^;]*?"(@tripline\/[^"]+)"/gm)].map(
					([, name = ""]) => ({ path, name }),
				),
			)
			.filter(({ name }) => !isAlone(name));
		assert.deepEqual(code, []);
	});

	test("the console fetches only in these files", () => {
		const fetching = sources
			.filter(under("apps/console"))
			.filter(({ text }) => /(?<![.\w])fetch\(/.test(text))
			.map(({ path }) => path.replace("apps/console/src/", ""));
		assert.deepEqual(fetching.sort(), [
			"api/call.ts",
			"api/early.ts",
			"chat/api.ts",
			"pages/login/login-page.tsx",
			"session/login.ts",
			"shell/log-out.tsx",
		]);
	});

	test("only the storage of the store contains SQL", () => {
		const found = findOffenders(
			({ path }) => path.startsWith("services/") && !path.includes("/storage/"),
			(name, { path }) => name === "@tripline/platform/sql" && path !== "services/store/src/app.ts",
		);
		assert.deepEqual(found, []);
	});

	test("no file imports from another package by a relative path", () => {
		const getPackage = (path: string) => path.split("/").slice(0, 2).join("/");
		const found = findOffenders(
			() => true,
			(name, { path }) =>
				name.startsWith(".") && getPackage(normalize(`${dirname(path)}/${name}`)) !== getPackage(path),
		);
		assert.deepEqual(found, []);
	});

	test("a service's domain only computes: no timers, no clock, no platform, no storage, no HTTP", () => {
		const isDomain = ({ path }: Source) => /^services\/[^/]+\/src\/domain\//.test(path);
		const allowed = /^(?:@tripline\/(?:contract|engine|components)\/|zod$)/;
		assert.deepEqual(
			findOffenders(isDomain, (name, { path }) =>
				name.startsWith(".")
					? !isDomain({ path: normalize(`${dirname(path)}/${name}`) } as Source)
					: !allowed.test(name),
			),
			[],
		);
		const impure = sources.filter(isDomain).filter(({ text }) => IMPURE.test(text));
		assert.deepEqual(
			impure.map(({ path }) => path),
			[],
		);
	});

	test("no files import each other in a circle", () => {
		assert.deepEqual(findCircles(), []);
	});

	test("process.env is read only in apps", () => {
		const found = sources.filter(({ path, text }) => !path.startsWith("apps/") && /process\.env/.test(text));
		assert.deepEqual(found, []);
	});
});

/** Sources and tests: each circle as its files, in the order of their names. */
function findCircles(): string[][] {
	const files = globSync(
		["{packages,services,apps}/*/{src,test}/**/*.{ts,tsx}", "{test,bench,scripts}/**/*.ts"],
		{
			cwd: root,
			exclude: ["**/node_modules"],
		},
	);
	const imports = new Map(
		files.map((path) => [
			path,
			parseImports(readFileSync(root + path, "utf8"))
				.filter((name) => name.startsWith("."))
				.map((name) => normalize(`${dirname(path)}/${name}`)),
		]),
	);
	const circles = new Map<string, string[]>();
	for (const path of files) {
		const reached = listReachable(path, imports);
		if (!reached.has(path)) continue;
		const circle = [...reached].filter((other) => listReachable(other, imports).has(path)).toSorted();
		circles.set(circle.join(), circle);
	}
	return [...circles.values()];
}

/** What a file imports, directly or by others; the file itself only if it is in a circle. */
function listReachable(from: string, imports: ReadonlyMap<string, readonly string[]>): Set<string> {
	const reached = new Set<string>();
	const open = [from];
	for (let path = open.pop(); path !== undefined; path = open.pop()) {
		for (const next of imports.get(path) ?? []) {
			if (reached.has(next)) continue;
			reached.add(next);
			open.push(next);
		}
	}
	return reached;
}
