import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type BuildOptions, build } from "esbuild";

const home = import.meta.dirname;

const common: BuildOptions = {
	absWorkingDir: home,
	bundle: true,
	minify: true,
	format: "esm",
	target: ["es2023", "chrome120", "firefox121", "safari17.4"],
	jsx: "automatic",
	define: { "process.env.NODE_ENV": '"production"' },
	entryNames: "[name]-[hash]",
	chunkNames: "[name]-[hash]",
	metafile: true,
	legalComments: "none",
	// Where packages really lie is in no name, so that the same code is the same build wherever it is made.
	preserveSymlinks: true,
	logLevel: "silent",
};

/** The files that a build wrote, by the source that each begins with. */
type Written = ReadonlyMap<string, string>;

/** Writes the page and all that it loads: flat, each file but the page named after its content. */
export async function buildConsole(folder: string): Promise<void> {
	rmSync(folder, { recursive: true, force: true });
	mkdirSync(folder, { recursive: true });
	const parts = await written(folder, {
		entryPoints: ["src/pages/graph/layout.worker.ts", "src/theme/first.ts", "src/styles/main.css"],
	});
	const app = await written(folder, {
		entryPoints: ["src/main.tsx"],
		splitting: true,
		define: {
			...common.define,
			LAYOUT_WORKER: JSON.stringify(partOf(parts, "src/pages/graph/layout.worker.ts")),
		},
	});
	const page = pageOf({
		theme: partOf(parts, "src/theme/first.ts"),
		style: partOf(parts, "src/styles/main.css"),
		app: partOf(app, "src/main.tsx"),
	});
	writeFileSync(join(folder, "index.html"), page);
}

async function written(folder: string, options: BuildOptions): Promise<Written> {
	const { metafile } = await build({ ...common, outdir: folder, ...options });
	return new Map(
		Object.entries(metafile?.outputs ?? {}).flatMap(([path, { entryPoint }]) =>
			entryPoint === undefined ? [] : [[entryPoint, path.slice(path.lastIndexOf("/") + 1)] as const],
		),
	);
}

function partOf(files: Written, source: string): string {
	const file = files.get(source);
	if (file === undefined) throw new Error(`the build wrote nothing for ${source}`);
	return `/console/${file}`;
}

/** The content security policy allows no script within the page. */
function pageOf({ theme, style, app }: { theme: string; style: string; app: string }): string {
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
<script src="${theme}"></script>
<script type="module" src="${app}"></script>
</head>
<body>
<div id="app"></div>
<noscript>The console needs JavaScript. Everything it does, the API does too: see <a href="/docs">its description</a>.</noscript>
</body>
</html>
`;
}
