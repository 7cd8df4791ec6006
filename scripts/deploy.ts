// Deploys this checkout to Cloudflare: release, commit and tag, bundles, release check, `tripline update`. Each step
// skips what is already done, so running it again after a failure continues from there.
// Progress goes to stderr: stdout belongs to `update`, which may write JSON there.
import { constants } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { readAccountId, readTarget, type Target } from "../apps/cli/src/cloudflare/account.ts";
import { CliProblem, type Command, type Invocation } from "../apps/cli/src/command.ts";
import { updateCommand } from "../apps/cli/src/commands/update.ts";
import { COMMON_FLAGS, parseArguments } from "../apps/cli/src/parse.ts";
import { processIo } from "../apps/cli/src/process-io.ts";
import { loadLauncher } from "../apps/cli/src/serve/launcher.ts";
import { findMismatches } from "./release/agreement.ts";
import { isNpmDryRun } from "./release/dry-run.ts";
import { findLastRelease, hasTag, listUncommitted, toTag } from "./release/history.ts";
import { buildNextRelease, readCurrentVersion } from "./release/next.ts";
import { ReleaseProblem } from "./release/problem.ts";
import { buildCommitMessage, commitRelease, tagRelease } from "./release/write.ts";

type Flags = Invocation["flags"];

const root = fileURLToPath(new URL("..", import.meta.url));
const report = (text: string): void => console.error(text);

const DRY_RUN = { name: "dry-run", about: "show the release without changing anything" } as const;
const command: Command = { ...updateCommand, name: "deploy", flags: [DRY_RUN, ...updateCommand.flags] };

process.exitCode = await deploy(process.argv.slice(2)).catch((error: unknown) => {
	if (error instanceof ReleaseProblem) report(error.message);
	else if (error instanceof CliProblem) report(`deploy: ${error.message}\n  ${error.hint ?? ""}`.trimEnd());
	else throw error;
	return error instanceof CliProblem ? error.code : 1;
});

async function deploy(args: readonly string[]): Promise<number> {
	if (args.includes("--help") || args.includes("-h")) {
		process.stdout.write(renderUsage());
		return 0;
	}
	const flags = parseFlags(args);
	await checkCommitted();
	const next = await buildNextRelease(root);
	const version = next?.version ?? readCurrentVersion(root);
	report(next === null ? `nothing to release: no commits since ${version}` : next.entry);
	if (flags[DRY_RUN.name] === true || isNpmDryRun()) {
		const release = next === null ? "" : `commit and tag ${version}, `;
		report(
			`dry run, nothing changed. Would run: ${release}bundle, check, ${["tripline", ...buildUpdateArgs(flags)].join(" ")}`,
		);
		return 0;
	}
	// A missing account or token must be reported before anything changes.
	const target = await readDeployTarget(flags);
	if (next !== null) commitRelease(root, next);
	if (!hasTag(root, version)) tagRelease(root, version);
	const code = (await bundle()) || (await checkRelease()) || (await update(flags, target));
	if (code !== 0)
		report(`${version} is only partly deployed: run npm run deploy again to continue with the same version`);
	else if (next !== null) report(`to publish the release: git push origin HEAD ${toTag(version)}`);
	return code;
}

function parseFlags(args: readonly string[]): Flags {
	try {
		return parseArguments(command, args).flags;
	} catch (error) {
		if (!(error instanceof CliProblem)) throw error;
		throw new CliProblem(error.message, { code: 2, hint: "npm run deploy -- --help shows the usage" });
	}
}

/** Every deployed version must be a commit. */
async function checkCommitted(): Promise<void> {
	const changes = listUncommitted(root);
	if (changes === "") return;
	const listed = changes.replaceAll("\n", "\n  ");
	throw new ReleaseProblem(
		`there are uncommitted changes:\n  ${listed}\n${await describeFix()}; then run it again`,
	);
}

async function describeFix(): Promise<string> {
	const version = readCurrentVersion(root);
	if (findLastRelease(root, version) !== null)
		return "every deployed version must be a commit: commit them, or stash them with git stash -u";
	const isWhole = (await findMismatches(root, { areBundlesLeftOut: true })).length === 0;
	return isWhole
		? `${version} is written but not committed: keep it with git commit -am "${buildCommitMessage(version)}", or undo it with git restore .`
		: `${version} is only partly written: undo it with git restore .`;
}

function readDeployTarget(flags: Flags): Promise<Target> {
	const invocation = { positionals: {}, flags, io: processIo(), progress: report };
	return readTarget(invocation, readAccountId(invocation, "any layer"));
}

function bundle(): Promise<number> {
	// Bundling does not need the token.
	const { CLOUDFLARE_API_TOKEN: _, ...env } = process.env;
	return runScript("scripts/bundle.ts", [], { env, stdio: ["ignore", process.stderr.fd, process.stderr.fd] });
}

async function checkRelease(): Promise<number> {
	const found = await findMismatches(root);
	if (found.length > 0) report(["the versions differ:", ...found].join("\n  "));
	return found.length > 0 ? 1 : 0;
}

/** Deploys the bundles of the package. The token is passed in the environment, which process lists do not show. */
function update(flags: Flags, { accountId, token }: Target): Promise<number> {
	const env = {
		...process.env,
		CLOUDFLARE_ACCOUNT_ID: accountId,
		CLOUDFLARE_API_TOKEN: token,
		TRIPLINE_BUNDLES: join(root, "dist", "package", "workers"),
	};
	return runScript("apps/cli/src/bin.ts", buildUpdateArgs(flags), { env });
}

function buildUpdateArgs(flags: Flags): readonly string[] {
	const others = Object.entries(flags).filter(
		([name]) => ![DRY_RUN.name, "api-token", "account-id"].includes(name),
	);
	return ["update", ...others.map(([name, value]) => (value === true ? `--${name}` : `--${name}=${value}`))];
}

/** Waits for the script to end and forwards signals to it. */
async function runScript(file: string, args: readonly string[], options: object): Promise<number> {
	const { run } = await loadLauncher(new URL("./launch/", import.meta.url));
	const { code, signal, interrupted } = await run(
		process.execPath,
		[...process.execArgv, join(root, file), ...args],
		options,
	);
	const ended = signal ?? interrupted;
	return ended ? 128 + constants.signals[ended] : (code ?? 1);
}

function renderUsage(): string {
	const flags = [...updateCommand.flags, ...COMMON_FLAGS.filter(({ name }) => name !== "help")];
	const listed = [DRY_RUN, ...flags, { name: "help", about: "show this help" }].map(
		(flag) => `  ${`--${flag.name}${"value" in flag ? ` <${flag.value}>` : ""}`.padEnd(22)}${flag.about}\n`,
	);
	return `usage: npm run deploy [-- <flags>]

Deploys this checkout to Cloudflare: raises the patch number, writes the changelog entry from the commits since the
last release, commits and tags both, bundles, checks that the version is the same everywhere, and runs tripline
update. Without a new commit the version stays. The work tree must have no changes.

${listed.join("")}`;
}
