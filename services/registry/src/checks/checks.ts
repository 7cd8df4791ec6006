import { manifestProblems } from "@tripline/components/installed/problems";
import { trialRun } from "@tripline/components/installed/trial";
import { type Manifest, MOST_MANIFEST_BYTES } from "@tripline/contract/registry";
import type { Sandbox } from "@tripline/platform/sandbox";
import { type Check, checkOf } from "./check.ts";
import { hostCheck } from "./hosts.ts";
import { nameCheck, publisherCheck, type Taken, versionCheck } from "./names.ts";
import { patternCheck } from "./patterns.ts";
import { RESERVED, RESERVED_AUTH } from "./reserved.ts";

export type Checks = ReturnType<typeof checks>;

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
export function checks(deps: {
	sandbox: Sandbox;
	/** The bundled components; the names of their publishers are reserved. */
	market: readonly Manifest[];
}) {
	const reservedPublishers = [...new Set(deps.market.map(({ publisher }) => publisher))];
	return { all, ofNames };

	/** The trial run comes last, and only if all other checks pass. */
	async function all(checked: Checked, signal: AbortSignal): Promise<Check[]> {
		const { manifest } = checked;
		const still: Check[] = [
			{ name: "size", ok: true, message: `${checked.bytes} of at most ${MOST_MANIFEST_BYTES} bytes` },
			hashCheck(checked),
			publisherCheck(manifest.publisher, reservedPublishers),
			...ofNames(checked),
			checkOf("manifest", problemsOf(manifest), "no problems found"),
			hostCheck(manifest),
			patternCheck(manifest),
		];
		return still.every(({ ok }) => ok) ? [...still, await trialCheck(manifest, signal)] : still;
	}

	function ofNames({ manifest, versions, taken }: Named): Check[] {
		return [
			nameCheck(manifest, [...RESERVED, ...taken], RESERVED_AUTH),
			versionCheck(manifest.version, versions),
		];
	}

	async function trialCheck(manifest: Manifest, signal: AbortSignal): Promise<Check> {
		try {
			const { results } = await trialRun(manifest, deps.sandbox, signal);
			const problems = results.flatMap(({ title, problem }) =>
				problem === undefined ? [] : [`the example "${title}": ${problem}`],
			);
			return checkOf(
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

function hashCheck({ sha256, actualSha256 }: Checked): Check {
	const problems =
		sha256 === undefined || sha256 === actualSha256
			? []
			: [`the manifest's SHA-256 is ${actualSha256}, not ${sha256} as submitted`];
	return checkOf("hash", problems, actualSha256);
}

const problemsOf = (manifest: Manifest): string[] =>
	manifestProblems(manifest).map(({ path, message }) => `${path} ${message}`.trim());
