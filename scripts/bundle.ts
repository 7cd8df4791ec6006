// Bundles the four workers, the console, the command line and the service into dist/package, or the folder after --out.
// `npm pack` packs that folder. With --workers <folder> it bundles only the workers and the console, into that folder.
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { gzipSync } from "node:zlib";
import { bundleCli, bundleService } from "./bundle/programs.ts";
import { bundleWorkers } from "./bundle/workers.ts";

const root = fileURLToPath(new URL("../", import.meta.url));
const manifest = JSON.parse(readFileSync(join(root, "package.json"), "utf8")) as {
	readonly version: string;
};

const [option, folder] = process.argv.slice(2);
if (option === "--workers" && folder !== undefined) await bundleWorkers(folder, manifest.version);
else if (option === "--out" && folder !== undefined) await bundlePackage(folder);
else if (option === undefined) await bundlePackage(join(root, "dist", "package"));
else {
	console.error("usage: node scripts/bundle.ts [--out <folder> | --workers <folder>]");
	process.exitCode = 2;
}

async function bundlePackage(home: string): Promise<void> {
	rmSync(home, { recursive: true, force: true });
	mkdirSync(home, { recursive: true });
	const workers = await bundleWorkers(join(home, "workers"), manifest.version, join(home, "console"));
	await bundleCli(join(home, "cli"));
	await bundleService(join(home, "service"), join(home, "data"));
	// The command line reads its version here.
	const { version } = manifest;
	writeFileSync(join(home, "package.json"), `${JSON.stringify({ version, type: "module" }, null, "\t")}\n`);
	for (const file of workers.filter((name) => /\.(?:mjs|wasm)$/.test(name)))
		printSize(join("workers", file), [join(home, "workers", file)]);
	for (const part of ["cli", "service", "data", "console"])
		printSize(
			part,
			readdirSync(join(home, part), { recursive: true, withFileTypes: true })
				.filter((entry) => entry.isFile())
				.map((entry) => join(entry.parentPath, entry.name)),
		);

	function printSize(name: string, files: readonly string[]): void {
		const contents = files.map((file) => readFileSync(file));
		const bytes = contents.reduce((sum, content) => sum + content.length, 0);
		const packed = contents.reduce((sum, content) => sum + gzipSync(content).length, 0);
		console.log(`${name.padEnd(24)}${formatSize(bytes)} ${formatSize(packed)} gzipped`);
	}
}

function formatSize(bytes: number): string {
	return `${(bytes / 1024).toFixed(1)} KiB`.padStart(12);
}
