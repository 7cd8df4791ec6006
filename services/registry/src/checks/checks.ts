import { builtIn } from "@tripline/components/catalogue";
import { findManifestProblems } from "@tripline/components/installed/problems";
import { runTrial } from "@tripline/components/installed/trial";
import { apiRecipes, authRecipes } from "@tripline/components/seeds/seeds";
import { MAX_MANIFEST_BYTES, type Manifest } from "@tripline/contract/registry";
import type { Sandbox } from "@tripline/platform/sandbox";
import { type Check, toCheck } from "./check.ts";
import { checkHosts } from "./hosts.ts";
import { checkName, checkPublisher, checkVersion, type Taken } from "./names.ts";

/** Names that submissions cannot use. */
const RESERVED: readonly Taken[] = [
	...builtIn.map(({ id }) => ({ id, by: "a built-in component" })),
	...apiRecipes.map(({ id }) => ({ id, by: "a bundled recipe" })),
];

/** Auth recipe names that submissions cannot use: they would redirect other users' credentials. */
const RESERVED_AUTH: readonly Taken[] = authRecipes.map(({ id }) => ({
	id,
	by: "a bundled auth recipe",
}));

export type Checks = ReturnType<typeof createChecks>;

interface Named {
	readonly manifest: Manifest;
	/** Published versions of the component, latest first. */
	readonly versions: readonly string[];
	/** Names of other publishers' components. */
	readonly taken: readonly Taken[];
}

interface Checked extends Named {
	readonly bytes: number;
	readonly actualSha256: string;
	/** The hash sent by the publisher. */
	readonly sha256: string | undefined;
}

/** The automatic checks before a person reviews a submission. */
export function createChecks(deps: {
	sandbox: Sandbox;
	/** The bundled components; the names of their publishers are reserved. */
	market: readonly Manifest[];
}) {
	const reservedPublishers = [...new Set(deps.market.map(({ publisher }) => publisher))];
	return { all: runAll, ofNames: checkNameAndVersion };

	/** The trial run comes last, and only if all other checks pass. */
	async function runAll(checked: Checked, signal: AbortSignal): Promise<Check[]> {
		const { manifest } = checked;
		const still: Check[] = [
			{ name: "size", ok: true, message: `${checked.bytes} of at most ${MAX_MANIFEST_BYTES} bytes` },
			checkHash(checked),
			checkPublisher(manifest.publisher, reservedPublishers),
			...checkNameAndVersion(checked),
			toCheck("manifest", listProblems(manifest), "no problems found"),
			checkHosts(manifest),
		];
		return still.every(({ ok }) => ok) ? [...still, await checkTrial(manifest, signal)] : still;
	}

	function checkNameAndVersion({ manifest, versions, taken }: Named): Check[] {
		return [
			checkName(manifest, [...RESERVED, ...taken], RESERVED_AUTH),
			checkVersion(manifest.version, versions),
		];
	}

	async function checkTrial(manifest: Manifest, signal: AbortSignal): Promise<Check> {
		try {
			const { results } = await runTrial(manifest, deps.sandbox, signal);
			const problems = results.flatMap(({ title, problem }) =>
				problem === undefined ? [] : [`the example "${title}": ${problem}`],
			);
			return toCheck(
				"trial",
				problems,
				results.length === 0 ? "there is no code to run" : "every example gives the expected result",
			);
		} catch (error) {
			if (!signal.aborted) throw error;
			return { name: "trial", ok: false, message: "the examples take too long in total" };
		}
	}
}

function checkHash({ sha256, actualSha256 }: Checked): Check {
	const problems =
		sha256 === undefined || sha256 === actualSha256
			? []
			: [`the manifest's SHA-256 is ${actualSha256}, not ${sha256} as submitted`];
	return toCheck("hash", problems, actualSha256);
}

const listProblems = (manifest: Manifest): string[] =>
	findManifestProblems(manifest).map(({ path, message }) => `${path} ${message}`.trim());
