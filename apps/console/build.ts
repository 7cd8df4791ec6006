import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type BuildOptions, build, type Metafile, type Plugin } from "esbuild";

const home = import.meta.dirname;
const MAIN = "src/main.tsx";
const FIRST = "src/first.ts";
const LAYOUT = "src/pages/graph/layout.worker.ts";

const common: BuildOptions = {
	absWorkingDir: home,
	bundle: true,
	minify: true,
	format: "esm",
	target: ["es2023", "chrome120", "firefox121", "safari17.4"],
	jsx: "automatic",
	// Preact implements React's API, which the graph library also needs, at a third of the size and start-up time.
	alias: {
		react: "preact/compat",
		"react-dom": "preact/compat",
		"react-dom/client": "preact/compat/client",
		"react/jsx-runtime": "preact/jsx-runtime",
	},
	define: { "process.env.NODE_ENV": '"production"' },
	entryNames: "[name]-[hash]",
	chunkNames: "[name]-[hash]",
	metafile: true,
	legalComments: "none",
	// Real package paths must not affect file names, so that builds are reproducible on every machine.
	preserveSymlinks: true,
	logLevel: "silent",
};

const LATER = "loaded later";

/**
 * Bundles the code of the first page into one file. esbuild creates a chunk for each set of pages that share code, and
 * two dozen requests cost a browser more than the code in them, so every lazy page imports the main entry.
 */
const firstInOne: Plugin = {
	name: "first in one",
	setup({ onResolve, onLoad }) {
		onResolve({ filter: /^\./ }, ({ kind, path, resolveDir }) =>
			kind === "dynamic-import" ? { path: join(resolveDir, path), pluginData: LATER } : null,
		);
		onLoad({ filter: /\.tsx$/ }, ({ path, pluginData }) => {
			if (pluginData !== LATER) return null;
			const contents = `${readFileSync(path, "utf8")}\nimport ${JSON.stringify(join(home, MAIN))};`;
			return { contents, loader: "tsx" };
		});
	},
};

/** The files that a build wrote, by entry source: the file first, then all its imports. */
type Written = ReadonlyMap<string, readonly string[]>;
type Outputs = Metafile["outputs"];

/** Writes the page and its files into one folder. All names but the page's contain a content hash. */
export async function buildConsole(folder: string): Promise<void> {
	rmSync(folder, { recursive: true, force: true });
	mkdirSync(folder, { recursive: true });
	const parts = await writeBundle(folder, {
		entryPoints: [LAYOUT, "src/styles/main.css"],
		format: "iife",
	});
	const app = await writeBundle(folder, {
		entryPoints: [MAIN],
		splitting: true,
		plugins: [firstInOne],
		define: {
			...common.define,
			LAYOUT_WORKER: JSON.stringify(findPart(parts, LAYOUT)),
		},
	});
	const [main, ...chunks] = findParts(app, MAIN);
	const first = await writeBundle(folder, {
		entryPoints: [FIRST],
		format: "iife",
		define: { PAGE_FILES: JSON.stringify(listPageFiles(app, chunks)) },
	});
	const page = renderPage({
		first: findPart(first, FIRST),
		style: findPart(parts, "src/styles/main.css"),
		app: main ?? "",
		preloaded: chunks,
	});
	writeFileSync(join(folder, "index.html"), page);
}

async function writeBundle(folder: string, options: BuildOptions): Promise<Written> {
	const { metafile } = await build({ ...common, outdir: folder, ...options });
	const outputs = metafile?.outputs ?? {};
	return new Map(
		Object.entries(outputs).flatMap(([path, { entryPoint }]) =>
			entryPoint === undefined ? [] : [[entryPoint, [...collectImports(outputs, path)].map(toUrl)] as const],
		),
	);
}

function collectImports(outputs: Outputs, path: string, seen = new Set<string>()): Set<string> {
	if (seen.has(path)) return seen;
	seen.add(path);
	for (const { path: imported, kind } of outputs[path]?.imports ?? [])
		if (kind === "import-statement") collectImports(outputs, imported, seen);
	return seen;
}

/** Files that a page loads in addition to the shared ones, by the page's folder. */
function listPageFiles(app: Written, shared: readonly string[]): Readonly<Record<string, readonly string[]>> {
	const pages = [...app].flatMap(([source, files]) => {
		const [, name] = /^src\/pages\/([^/]+)\/\1-page\.tsx$/.exec(source) ?? [];
		return name === undefined ? [] : [[name, files.filter((file) => !shared.includes(file))] as const];
	});
	return Object.fromEntries(pages);
}

const toUrl = (path: string): string => `/console/${path.slice(path.lastIndexOf("/") + 1)}`;

function findParts(files: Written, source: string): readonly string[] {
	const found = files.get(source);
	if (found === undefined) throw new Error(`the build has no output for ${source}`);
	return found;
}

const findPart = (files: Written, source: string): string => findParts(files, source)[0] ?? "";

interface Parts {
	readonly first: string;
	readonly style: string;
	readonly app: string;
	readonly preloaded: Iterable<string>;
}

/** The content security policy allows no inline scripts. */
function renderPage({ first, style, app, preloaded }: Parts): string {
	const links = [...preloaded].map((file) => `<link rel="modulepreload" href="${file}">\n`);
	const icon = readFileSync(join(home, "src", "icon.svg"), "utf8");
	return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<meta name="color-scheme" content="light dark">
<title>Tripline</title>
<link rel="icon" href="data:image/svg+xml,${encodeURIComponent(icon.trim())}">
<link rel="stylesheet" href="${style}">
<script src="${first}"></script>
<script type="module" src="${app}"></script>
${links.join("")}</head>
<body>
<div id="app"></div>
<noscript>The console requires JavaScript. You can use the <a href="/docs">API</a> instead.</noscript>
</body>
</html>
`;
}
