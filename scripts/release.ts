// Raises the patch number everywhere and writes the changelog entry from the commits since the last release.
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { isNpmDryRun } from "./release/dry-run.ts";
import { buildNextRelease, readCurrentVersion } from "./release/next.ts";
import { ReleaseProblem } from "./release/problem.ts";
import { buildCommitMessage, writeRelease } from "./release/write.ts";

const USAGE = `usage: npm run release [-- --dry-run] [--since <commit>]

Raises the patch number everywhere and writes the changelog entry from the commits since the last release.

  --dry-run         show the entry without changing anything
  --since <commit>  the commit of the last release, if the history does not show it
  --help            show this help
`;

const root = fileURLToPath(new URL("..", import.meta.url));
process.exitCode = await release(process.argv.slice(2));

async function release(args: string[]): Promise<number> {
	const flags = parseFlags(args);
	if (flags === null) return 2;
	if (flags.help) {
		process.stdout.write(USAGE);
		return 0;
	}
	try {
		const current = readCurrentVersion(root);
		const next = await buildNextRelease(root, flags.since);
		if (next === null) throw new ReleaseProblem(`no commits since ${current}`);
		const isDryRun = flags["dry-run"] || isNpmDryRun();
		if (!isDryRun) writeRelease(root, next);
		console.log(next.entry);
		console.log(
			isDryRun
				? `${current} to ${next.version}: dry run, nothing changed`
				: describeWritten(next.version, [...next.files.keys()]),
		);
		return 0;
	} catch (error) {
		if (!(error instanceof ReleaseProblem)) throw error;
		console.error(error.message);
		return 1;
	}
}

function parseFlags(args: string[]) {
	try {
		return parseArgs({
			args,
			options: {
				"dry-run": { type: "boolean", default: false },
				since: { type: "string" },
				help: { type: "boolean", short: "h", default: false },
			},
		}).values;
	} catch (error) {
		console.error(`release: ${(error as Error).message}\n${USAGE}`);
		return null;
	}
}

function describeWritten(version: string, files: readonly string[]): string {
	return `${version} is in ${files.length} files: ${files.join(", ")}
Read the changelog entry, then: git commit -am "${buildCommitMessage(version)}" && git tag v${version}`;
}
