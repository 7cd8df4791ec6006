import { copyFileSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { getOriginalQuickJsUrl } from "@tripline/sandbox/artifact";
import { type BuildOptions, build, type Plugin } from "esbuild";

const root = fileURLToPath(new URL("../../", import.meta.url));

const COMMON: BuildOptions = {
	absWorkingDir: root,
	bundle: true,
	minify: true,
	splitting: true,
	format: "esm",
	platform: "node",
	// CommonJS libraries load Node's built-in modules with require.
	banner: {
		js: 'import { createRequire as __require } from "node:module"; const require = __require(import.meta.url);',
	},
	logLevel: "warning",
};

/** The command line: one file, and chunks that commands load on demand. */
export async function bundleCli(folder: string): Promise<void> {
	await build({
		...COMMON,
		entryPoints: { tripline: join(root, "apps/cli/src/bin.ts") },
		outdir: folder,
		target: "node20.12",
	});
	// `serve` and the commands beside it expect these next to the bundle.
	writeFileSync(join(folder, "service.mjs"), 'import "../service/main.js";\n');
	writeFileSync(join(folder, "move.mjs"), 'import "../service/move.js";\n');
	writeFileSync(join(folder, "backup.mjs"), 'import "../service/backup.js";\n');
	writeFileSync(join(folder, "doctor.mjs"), 'import "../service/doctor.js";\n');
	writeFileSync(join(folder, "downgrade.mjs"), 'import "../service/downgrade.js";\n');
	writeFileSync(join(folder, "vault.mjs"), 'import "../service/vault.js";\n');
	mkdirSync(join(folder, "launch"), { recursive: true });
	for (const file of LAUNCHER) copyFileSync(join(root, "scripts/launch", file), join(folder, "launch", file));
}

const LAUNCHER = ["packed.mjs", "prepare.mjs", "process.mjs", "node-pins.json"];

/** The service as one process, with its data files. Returns the modules it is made of, relative to the root. */
export async function bundleService(folder: string, dataFolder: string): Promise<readonly string[]> {
	const { metafile } = await build({
		...COMMON,
		metafile: true,
		entryPoints: {
			main: join(root, "apps/node/src/main.ts"),
			vault: join(root, "apps/node/src/vault.ts"),
			move: join(root, "apps/node/src/move.ts"),
			[BACKUP_PROCESS]: join(root, "apps/node/src/backup.ts"),
			doctor: join(root, "apps/node/src/doctor.ts"),
			downgrade: join(root, "apps/node/src/downgrade.ts"),
			[SANDBOX_THREAD]: join(root, "packages/platform/src/sandbox-entry.node.ts"),
			[SQLITE_PROCESS]: join(root, "packages/platform/src/databases-sqlite-entry.node.ts"),
			[PDF_THREAD]: join(root, "packages/platform/src/pdf-entry.node.ts"),
			[MAIL_THREAD]: join(root, "packages/platform/src/mail-entry.node.ts"),
			[DESCRIPTION_THREAD]: join(root, "packages/platform/src/descriptions-entry.node.ts"),
		},
		outdir: folder,
		target: "node24",
		plugins: [moveFiles],
	});
	assertMoved(Object.keys(metafile.outputs));
	copyFileSync(new URL(getOriginalQuickJsUrl()), join(folder, QUICKJS));
	mkdirSync(dataFolder, { recursive: true });
	const words = "word-vectors.bin";
	copyFileSync(join(root, "services/store/data", words), join(dataFolder, words));
	return Object.keys(metafile.inputs);
}

/** A thread or process whose file is not beside the bundle would fail only when it is first used. */
function assertMoved(outputs: readonly string[]): void {
	for (const output of outputs) {
		const found = /"[^"]*\.ts",\s*import\.meta\.url/.exec(readFileSync(join(root, output), "utf8"));
		if (found !== null) throw new Error(`${output} refers to a file of the repository: ${found[0]}`);
	}
}

const SANDBOX_THREAD = "sandbox-thread";
const PDF_THREAD = "pdf-thread";
const MAIL_THREAD = "mail-thread";
const DESCRIPTION_THREAD = "description-thread";
const SQLITE_PROCESS = "sqlite-process";
const BACKUP_PROCESS = "backup";
const QUICKJS = "quickjs.wasm";

/** Source code that refers to files by their path in the repository, and its replacement in the package. */
const MOVED: readonly { readonly file: RegExp; readonly from: string; readonly to: string }[] = [
	{
		file: /sandbox-thread\.node\.ts$/,
		from: 'new URL("./sandbox-entry.node.ts"',
		to: `new URL("./${SANDBOX_THREAD}.js"`,
	},
	{
		file: /pdf\.node\.ts$/,
		from: 'new URL("./pdf-entry.node.ts"',
		to: `new URL("./${PDF_THREAD}.js"`,
	},
	{
		file: /mail-reader\.node\.ts$/,
		from: 'new URL("./mail-entry.node.ts"',
		to: `new URL("./${MAIL_THREAD}.js"`,
	},
	{
		file: /descriptions\.node\.ts$/,
		from: 'new URL("./descriptions-entry.node.ts"',
		to: `new URL("./${DESCRIPTION_THREAD}.js"`,
	},
	{
		file: /databases-sqlite\.node\.ts$/,
		from: 'new URL("./databases-sqlite-entry.node.ts"',
		to: `new URL("./${SQLITE_PROCESS}.js"`,
	},
	{
		file: /backup\/schedule\.ts$/,
		from: 'new URL("../backup.ts"',
		to: `new URL("./${BACKUP_PROCESS}.js"`,
	},
	{
		file: /sandbox\/src\/artifact\.ts$/,
		from: 'import.meta.resolve("quickjs-wasi/quickjs.wasm")',
		to: `new URL("./${QUICKJS}", import.meta.url).href`,
	},
	{
		file: /node\/src\/console-build\.ts$/,
		from: "const PACKED: URL | null = null as URL | null;",
		to: 'const PACKED: URL | null = new URL("../console/", import.meta.url);',
	},
];

const moveFiles: Plugin = {
	name: "beside the bundle",
	setup({ onLoad }) {
		for (const { file, from, to } of MOVED) {
			onLoad({ filter: file }, ({ path }) => {
				const source = readFileSync(path, "utf8");
				if (!source.includes(from)) throw new Error(`${path} no longer contains ${from}`);
				return { contents: source.replace(from, to), loader: "ts" };
			});
		}
	},
};
